package io.colocate.tables.sql

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.{CountDownLatch, Executors}

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

import io.colocate.tables.commit.TableLog
import io.colocate.tables.scan.{PinnedFileIndex, PrunedScan}
import io.colocate.testing.{ColocateTestSession, Outcome}

/** Tables on a disk, written and read as a user does. */
private[colocate] trait TableSession
    extends AnyFunSuite
    with ColocateTestSession
    with AdaptiveSparkPlanHelper {

  private var tables = 0

  /** A path where nothing is yet. */
  protected def fresh(): String = {
    tables += 1
    scratch(s"table-$tables")
  }

  protected def write(
      rows: DataFrame,
      path: String,
      mode: String,
      options: (String, String)*): Unit =
    rows.write.format("colocate").options(options.toMap).mode(mode).save(path)

  protected def create(rows: DataFrame, options: (String, String)*): String = {
    val path = fresh()
    write(rows, path, "error", options: _*)
    path
  }

  protected def read(path: String, options: (String, String)*): DataFrame =
    spark.read.format("colocate").options(options.toMap).load(path)

  /** A query that holds the version which is the newest now. */
  protected def planned(path: String): DataFrame = {
    val query = read(path)
    query.queryExecution.executedPlan
    query
  }

  protected def log(path: String): TableLog =
    TableLog.open(new org.apache.hadoop.fs.Path(path), spark.sessionState.newHadoopConf())

  protected def version(path: String): Long = log(path).latestVersion

  /** Numbers with a neighbour that follows them, one that does not, and one that is often NULL. */
  protected def numbers(count: Int, from: Int = 0): DataFrame = spark.range(from, from + count)
    .selectExpr("id AS a", "(id * 7919) % 1000 AS b",
      "IF(id % 3 = 0, NULL, CAST(id % 50 AS INT)) AS c", "concat('name-', id % 97) AS s")

  /** Eight writers, four at a time, add the rows of [[appended]]. */
  protected def appendsAtTheSameTime(path: String): Unit = {
    val pool = Executors.newFixedThreadPool(4)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val start = new CountDownLatch(1)
      val writes = (1 to 8).map { i =>
        Future {
          start.await()
          write(numbers(100, from = 1000 * i), path, "append")
        }
      }
      start.countDown()
      Await.result(Future.sequence(writes), 120.seconds)
    } finally pool.shutdown()
  }

  protected def appended: Seq[DataFrame] = (1 to 8).map(i => numbers(100, from = 1000 * i))

  protected def same(expected: DataFrame, found: DataFrame): Unit = {
    val different =
      Outcome.difference(Outcome(expected.collect().toSeq), Outcome(found.collect().toSeq))
    assert(different.isEmpty, different.mkString)
  }

  /** What the scans of a query leave out. */
  protected def scans(query: DataFrame): Seq[PrunedScan] =
    scansOf(query.queryExecution.executedPlan)

  protected def scansOf(plan: SparkPlan): Seq[PrunedScan] =
    collectWithSubqueries(plan) { case scan: FileSourceScanExec => scan.relation.location }
      .collect { case files: PinnedFileIndex => files.pruned }.flatten

  protected def scan(query: DataFrame): PrunedScan = scans(query) match {
    case Seq(one) => one
    case other => fail(s"${other.length} scans of tables in ${query.queryExecution.executedPlan}")
  }

  /** Lists the files of a query's scans, as running it would do first; no job runs. */
  protected def listed(query: DataFrame): Unit =
    collectWithSubqueries(query.queryExecution.executedPlan) { case scan: FileSourceScanExec =>
      scan.relation.location.listFiles(Nil, Nil)
    }

  /** Data files that lie in the folder of a table, of whatever version. */
  protected def dataFiles(path: String): Seq[Path] = {
    val listed = Files.list(Paths.get(path))
    try listed.iterator.asScala.filter(_.toString.endsWith(".parquet")).toSeq
    finally listed.close()
  }

  /** Runs Spark's usual analyser alone: the one beside it in tests knows no rules of extensions. */
  protected def usualAnalyser(body: => Unit): Unit =
    withConf("spark.sql.analyzer.singlePassResolver.dualRunWithLegacy" -> "false")(body)

  protected def failure(body: => Any): Throwable = intercept[Exception](body)

  protected def values(rows: Seq[Row]): Set[Any] = rows.map(_.get(0)).toSet
}
