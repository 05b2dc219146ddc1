package io.colocate.functions.advise

import java.util.concurrent.{Callable, ExecutionException, Executors, Future}

/** Plans queries on all cores of the driver. The answers, and of several errors the first, are as if in order. */
private[advise] object InParallel {

  def apply[A, B](items: Seq[A])(made: A => B): Seq[B] = {
    val threads = math.min(items.size, Runtime.getRuntime.availableProcessors)
    if (threads < 2) items.map(made) else on(threads, items, made)
  }

  /** The threads are new ones, so that they have the session and the classes of this one. */
  private def on[A, B](threads: Int, items: Seq[A], made: A => B): Seq[B] = {
    val pool = Executors.newFixedThreadPool(threads, daemon(_))
    val begun = items.toVector.map(item => pool.submit((() => made(item)): Callable[B]))
    pool.shutdown()
    try begun.map(ended)
    finally begun.foreach(_.cancel(false))
  }

  private def ended[B](future: Future[B]): B =
    try future.get
    catch { case e: ExecutionException => throw e.getCause }

  private def daemon(work: Runnable): Thread = {
    val thread = new Thread(work, "colocate-advise")
    thread.setDaemon(true)
    thread
  }
}
