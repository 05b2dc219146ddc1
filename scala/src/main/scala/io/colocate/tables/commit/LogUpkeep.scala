package io.colocate.tables.commit

import java.util.concurrent.{Executor, LinkedBlockingQueue, ThreadPoolExecutor, TimeUnit}

/**
 * Runs the writing of checkpoints and the removal of old entries. No commit waits for it; if the process
 * ends first, a later commit does the work.
 */
private[tables] object LogUpkeep {

  /** One thread, which ends when there is nothing to do. */
  val background: Executor = {
    val pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue[Runnable],
      (task: Runnable) => new Thread(task, "colocate-log-upkeep"))
    pool.allowCoreThreadTimeOut(true)
    pool
  }

  /** For tests that look at the log after a commit. */
  val atOnce: Executor = _.run()
}
