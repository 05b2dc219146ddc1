package io.colocate.multiway.exec

import java.util.concurrent.ConcurrentLinkedQueue

import scala.concurrent.duration.DurationInt
import scala.jdk.CollectionConverters._

import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.sql.DataFrame

import io.colocate.multiway.MultiwaySession

/** How the work of a multiway join is spread over tasks, told by the values that each looks at. */
class SharedPartitionsSuite extends MultiwaySession {

  import SharedPartitions.shares

  test("partitions of much work are shared, and others left as they are") {
    assert(shares(Seq(10, 11, 9, 10), cores = 4) == Seq(1, 1, 1, 1))
    assert(shares(Seq(10, 10), cores = 4) == Seq(4, 4), "there are cores for more")
    assert(shares(Seq(90, 2, 4, 4), cores = 2) == Seq(4, 1, 1, 1))
    assert(shares(Seq(0, 0), cores = 2) == Seq(1, 1))
    assert(shares(Seq(7, 0), cores = 2) == Seq(4, 1))
  }

  private val Count = s"SELECT count(*) $Triangle"

  /** Values that each task of the join looks at. */
  private def looks(): Seq[Long] = withConf(Mode -> "force") {
    val found = new ConcurrentLinkedQueue[Long]
    val listener = new SparkListener {
      override def onTaskEnd(task: SparkListenerTaskEnd): Unit = for {
        metric <- task.taskInfo.accumulables if metric.name.contains("number of values looked at")
        value <- metric.update
      } found.add(value.toString.toLong)
    }
    spark.sparkContext.addSparkListener(listener)
    try {
      val query = sql(Count)
      query.collect()
      val total = multiway(query).head.metrics("proposals").value
      eventually(timeout(20.seconds))(assert(found.asScala.sum == total))
    } finally spark.sparkContext.removeSparkListener(listener)
    found.asScala.toSeq.sorted
  }

  private def slowest(tasks: Seq[Long]): Double = tasks.last.toDouble / tasks(tasks.length / 2)

  /** Vertices below 64 have an edge to each other, the others one edge each. */
  private def dense(): DataFrame = spark.range(0, 12000, 1, 6).selectExpr(
    "IF(id < 4096, id DIV 64, id) AS src", "IF(id < 4096, id % 64, id + 1) AS dst")

  test("where a LIMIT takes the first rows, none is read before they are asked for") {
    dense().createOrReplaceTempView("e")
    val list = s"SELECT a.src, b.src, c.dst $Triangle"
    assert(tasks(list) > 6)
    assert(tasks(s"$list LIMIT 5") == 6)
    assert(tasks(s"$list ORDER BY 1, 2, 3 LIMIT 5") > 6, "all rows are needed")
  }

  test("all rows of much work in few of many partitions") {
    val edges = dense()
    edges.createOrReplaceTempView("e")
    compareMultiway(sql(Count))
    val shared = looks()
    assert(shared.length > 6 && slowest(shared) < 3, shared)
    // What Spark caches is not read again, so that its partitions stay as they are.
    val cached = edges.cache()
    try {
      cached.createOrReplaceTempView("e")
      val whole = looks()
      assert(whole.length == 6 && whole.sum == shared.sum && slowest(whole) > 3, whole)
    } finally cached.unpersist()
  }

  test("a value that most rows of each input have") {
    spark.range(0, 12000, 1, 6)
      .selectExpr("CASE WHEN id < 4000 THEN 0 ELSE id % 4000 + 1 END AS src",
        "CASE WHEN id < 4000 THEN id + 1 WHEN id < 8000 THEN 0 ELSE id % 4000 + 2 END AS dst")
      .createOrReplaceTempView("e")
    compareMultiway(sql(Count))
    assert(slowest(looks()) < 3)
  }
}
