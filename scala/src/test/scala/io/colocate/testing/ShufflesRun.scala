package io.colocate.testing

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobEnd, SparkListenerJobStart, SparkListenerTaskEnd}

/**
 * Counts the shuffles that really run. The final plan of adaptive execution does not tell: where an input
 * turned out to be empty, stages that have run are not in it.
 */
final class ShufflesRun(context: SparkContext) extends SparkListener {

  private val stages = ConcurrentHashMap.newKeySet[Int]
  private val markers = new ConcurrentHashMap[Int, Int]
  private val last = new AtomicInteger
  @volatile private var seen = 0

  context.addSparkListener(this)

  def during[T](body: => T): (T, Int) = {
    awaitEvents()
    stages.clear()
    val result = body
    awaitEvents()
    (result, stages.size)
  }

  /** Events come in their order, so once those of a job have come all of earlier ones have. */
  private def awaitEvents(): Unit = {
    val marker = last.incrementAndGet()
    context.setLocalProperty(ShufflesRun.Marker, marker.toString)
    try context.parallelize(Seq(1), 1).count()
    finally context.setLocalProperty(ShufflesRun.Marker, null)
    while (seen < marker) Thread.sleep(1)
  }

  override def onTaskEnd(end: SparkListenerTaskEnd): Unit =
    if (end.taskType == "ShuffleMapTask") stages.add(end.stageId)

  override def onJobStart(start: SparkListenerJobStart): Unit =
    Option(start.properties).flatMap(p => Option(p.getProperty(ShufflesRun.Marker)))
      .foreach(marker => markers.put(start.jobId, marker.toInt))

  override def onJobEnd(end: SparkListenerJobEnd): Unit =
    Option(markers.remove(end.jobId)).foreach(marker => seen = marker)
}

private[colocate] object ShufflesRun {
  val Marker = "colocate.testing.marker"
}
