package io.colocate.tables.write

import java.util.UUID
import java.util.concurrent.{ConcurrentHashMap, CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart, SparkListenerTaskEnd}

/**
 * The time that executors spend on the jobs of a thread, in milliseconds over all tasks. Unlike the time
 * on the clock it does not depend on how many tasks run at once, nor on how long they wait for others.
 */
object TaskTime {

  private val Key = "colocate.taskTime"

  /** Events come late. If they do not come at all, because there are too many, there is no time. */
  private val MostSeconds = 10L

  /** @return what `body` gives, and the time; None if it is not known */
  def apply[T](context: SparkContext)(body: => T): (T, Option[Long]) = {
    val before = context.getLocalProperty(Key)
    val meter = new Meter
    context.addSparkListener(meter)
    try {
      context.setLocalProperty(Key, meter.running)
      val result = body
      (result, Option.when(isEnded(context, meter))(meter.millis.get))
    } finally {
      context.setLocalProperty(Key, before)
      context.removeSparkListener(meter)
    }
  }

  /** Events come in order: when a last, small job has been seen, so have all others. */
  private def isEnded(context: SparkContext, meter: Meter): Boolean =
    try {
      context.setLocalProperty(Key, meter.ending)
      context.parallelize(Seq(0), 1).count()
      meter.ended.await(MostSeconds, TimeUnit.SECONDS)
    } catch {
      // What was measured is done, and must not be lost for want of a time.
      case NonFatal(_) => false
    }

  final private class Meter extends SparkListener {
    val running: String = UUID.randomUUID.toString
    val ending: String = s"$running-end"
    val millis = new AtomicLong
    val ended = new CountDownLatch(1)
    private val stages = ConcurrentHashMap.newKeySet[Int]()

    override def onJobStart(job: SparkListenerJobStart): Unit =
      Option(job.properties).map(_.getProperty(Key)) match {
        case Some(`running`) => job.stageIds.foreach(stages.add)
        case Some(`ending`) => ended.countDown()
        case _ => ()
      }

    override def onTaskEnd(task: SparkListenerTaskEnd): Unit =
      if (stages.contains(task.stageId) && task.taskMetrics != null)
        millis.addAndGet(task.taskMetrics.executorRunTime)
  }
}
