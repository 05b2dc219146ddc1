package io.colocate.testing

import org.apache.spark.{SparkStatusTracker, TaskContext}
import org.apache.spark.sql.classic.SparkSession

/**
 * A function of SQL that gives back the number it is given, and lets its stage end after all others that
 * have begun with it, so that adaptive execution plans the rest of a query in an order that is known.
 */
object Late {

  @volatile private var stages: SparkStatusTracker = _

  /** Each number takes a while, in which the other stages begin. */
  private val PerNumberMillis = 4

  private val MostMillis = 60000

  def register(spark: SparkSession, name: String): Unit = {
    stages = spark.sparkContext.statusTracker
    spark.udf.register(name, (i: Integer) => { await(); i })
  }

  /** Only one task waits for others; a second one would leave them no core. */
  private def await(): Unit = if (TaskContext.getPartitionId() == 0) {
    Thread.sleep(PerNumberMillis)
    val end = System.nanoTime + MostMillis * 1000000L
    while (othersRun && System.nanoTime < end) Thread.sleep(5)
  }

  private def othersRun: Boolean = stages.getActiveStageIds().length > 1
}
