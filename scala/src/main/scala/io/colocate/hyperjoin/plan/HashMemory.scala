package io.colocate.hyperjoin.plan

import org.apache.spark.{SparkConf, SparkContext}

/**
 * How large a hash table may become in a task. It cannot spill, so it must always fit in memory. While
 * it grows, Spark holds an old and a new copy of its rows and of an index with four numbers for each
 * key: in total up to eight times the bytes of narrow rows.
 */
private[hyperjoin] object HashMemory {

  /** Memory that Spark reserves for itself before it divides the rest. */
  private val Reserved = 300L << 20
  private val Growth = 8

  private val Cores = "spark.executor.cores"

  /** Bytes of rows that a task can hash. */
  def hashable(context: SparkContext): Long = {
    val conf = context.getConf
    val heap =
      if (context.isLocal) Runtime.getRuntime.maxMemory
      else conf.getSizeAsBytes("spark.executor.memory", "1g")
    hashable(heap, tasks(context), conf)
  }

  /** @param heap the heap of an executor, in bytes */
  def hashable(heap: Long, tasks: Int, conf: SparkConf): Long = {
    val shared = (heap - Reserved).max(0) * conf.getDouble("spark.memory.fraction", 0.6)
    (shared / tasks / Growth).toLong
  }

  /** Tasks that run at the same time in one executor, or in this process. */
  private def tasks(context: SparkContext): Int = {
    val all = context.defaultParallelism
    if (context.isLocal) all
    else if (context.getConf.contains(Cores)) context.getConf.getInt(Cores, 1)
    else {
      // The status counts the driver as an executor.
      val executors = (context.getExecutorMemoryStatus.size - 1).max(1)
      (all + executors - 1) / executors
    }
  }
}
