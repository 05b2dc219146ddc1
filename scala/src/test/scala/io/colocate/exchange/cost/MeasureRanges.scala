package io.colocate.exchange.cost

import java.nio.file.Files
import java.util.Locale
import java.util.concurrent.atomic.LongAdder

import org.apache.commons.io.FileUtils

import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession

/**
 * What it costs that one shuffle by ranges serves an ORDER BY and the window below it, in place of a shuffle
 * for each. Spark alone runs both, the second as `REPARTITION_BY_RANGE` and `SORT BY` say it.
 *
 * {{{
 *   build/sbt 'scala/Test/runMain io.colocate.exchange.cost.MeasureRanges'
 * }}}
 */
object MeasureRanges {

  private case class Spent(cpu: Double, read: Double, shuffled: Double)

  private class Tasks extends SparkListener {
    val (cpu, read, shuffled) = (new LongAdder, new LongAdder, new LongAdder)
    override def onTaskEnd(end: SparkListenerTaskEnd): Unit = Option(end.taskMetrics).foreach { m =>
      cpu.add(m.executorCpuTime)
      read.add(m.inputMetrics.bytesRead)
      shuffled.add(m.shuffleWriteMetrics.bytesWritten)
    }
    private var seen = -1L

    /** True if tasks have been told of since this was last asked. */
    def isNew: Boolean = {
      val before = seen
      seen = cpu.sum
      seen != before
    }

    def spent: Spent = Spent(cpu.sum / 1e9, read.sum / 1048576.0, shuffled.sum / 1048576.0)
  }

  private val turns = 3

  /** Inputs, of which the second computes much for each row, the third joins, and the last is in memory. */
  private val inputs = Seq("a table" -> "rows", "a table and a digest of each row" -> "digests",
    "a join" -> "joined", "a cached table" -> "kept")

  private val columns = "*, count(*) OVER (PARTITION BY a) AS n"

  def main(arguments: Array[String]): Unit = {
    val home = Files.createTempDirectory("ranges")
    val spark = SparkSession.builder().master("local[2]")
      .config("spark.sql.warehouse.dir", home.toString).config("spark.ui.enabled", "false")
      .config("spark.sql.adaptive.enabled", "false").config("spark.sql.shuffle.partitions", "8")
      .config("spark.sql.autoBroadcastJoinThreshold", "-1").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try {
      create(spark)
      println("| a window by a, ordered by a, of | CPU s | with ranges | MiB read | with ranges |" +
        " MiB shuffled | with ranges |")
      for ((name, input) <- inputs) row(spark, name, input)
    } finally {
      spark.stop()
      FileUtils.deleteQuietly(home.toFile)
    }
  }

  private def create(spark: SparkSession): Unit = {
    spark.sql("""CREATE TABLE rows USING parquet AS SELECT id * 7919 % 100003 AS a, id % 977 AS b,
        |  concat('text of row ', id * 31 % 1000003) AS text FROM range(0, 1000000, 1, 8)""".stripMargin)
    spark.sql("CREATE TABLE others USING parquet AS SELECT id AS b, id % 5 AS c FROM range(977)")
    spark.sql(
      """CREATE TEMP VIEW digests AS SELECT a, b, sha2(sha2(sha2(text, 512), 512), 512) AS text
        |FROM rows""".stripMargin)
    spark.sql("CREATE TEMP VIEW joined AS SELECT a, b, text, c FROM rows JOIN others USING (b)")
    spark.sql("CACHE TABLE kept AS SELECT * FROM rows")
  }

  private def row(spark: SparkSession, name: String, input: String): Unit = {
    val usual = s"SELECT $columns FROM $input ORDER BY a"
    val ranges =
      s"SELECT $columns FROM (SELECT /*+ REPARTITION_BY_RANGE(8, a) */ * FROM $input) SORT BY a"
    def run(text: String) = spent(spark, spark.sql(text))
    Seq(usual, ranges).foreach(run)
    val (alone, ours) = (1 to turns).map(_ => (run(usual), run(ranges))).unzip
    def median(of: Spent => Double)(all: Seq[Spent]) =
      "%.1f".formatLocal(Locale.ROOT, all.map(of).sorted.apply(turns / 2))
    val figures = Seq[Spent => Double](_.cpu, _.read, _.shuffled).flatMap(f =>
      Seq(median(f)(alone), median(f)(ours)))
    println((name +: figures).mkString("| ", " | ", " |"))
  }

  /** All of the rows are computed, and none kept. */
  private def spent(spark: SparkSession, rows: DataFrame): Spent = {
    val tasks = new Tasks
    spark.sparkContext.addSparkListener(tasks)
    try {
      rows.write.format("noop").mode("overwrite").save()
      while (tasks.isNew) Thread.sleep(300)
    } finally spark.sparkContext.removeSparkListener(tasks)
    tasks.spent
  }
}
