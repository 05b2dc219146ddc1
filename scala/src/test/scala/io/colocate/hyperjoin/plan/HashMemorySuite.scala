package io.colocate.hyperjoin.plan

import org.apache.spark.SparkConf
import org.scalatest.funsuite.AnyFunSuite

/** The largest hash table of a task, by the settings of a cluster. */
class HashMemorySuite extends AnyFunSuite {

  private def hashable(heap: Long, tasks: Int, settings: (String, String)*): Long =
    HashMemory.hashable(heap, tasks, new SparkConf(false).setAll(settings))

  private val gigabyte = 1L << 30

  test("what Spark shares out, by the tasks and the eightfold of a table that grows") {
    // (1024 - 300) MB * 0.6 / 8
    assert(hashable(gigabyte, tasks = 1) == ((724L << 20) * 0.6 / 8).toLong)
    assert(hashable(gigabyte, tasks = 4) == ((724L << 20) * 0.6 / 8 / 4).toLong)
    assert(hashable(4 * gigabyte, tasks = 4) > hashable(gigabyte, tasks = 4) * 4)
  }

  test("a smaller share of the heap leaves less, a heap that Spark needs for itself nothing") {
    val whole = hashable(gigabyte, tasks = 2)
    assert(hashable(gigabyte, 2, "spark.memory.fraction" -> "0.3") == whole / 2)
    assert(hashable(300L << 20, tasks = 1) == 0)
    assert(hashable(100L << 20, tasks = 1) == 0)
  }
}
