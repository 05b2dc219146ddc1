package io.colocate.testing

import java.nio.file.{Files, Path}

import scala.util.Try

import org.apache.commons.io.FileUtils
import org.scalatest.{BeforeAndAfterAll, Suite}

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.SparkPlan

/**
 * A suite with one local session of its own, the extension loaded where its class exists. A rule of
 * ours that fails, or declines without a reason, fails the test.
 */
trait ColocateTestSession extends BeforeAndAfterAll { this: Suite =>

  private var session: SparkSession = _
  private var home: Path = _

  protected def spark: SparkSession = session

  /** Static configuration beyond the common one. */
  protected def sessionConf: Map[String, String] = Map.empty

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    home = Files.createTempDirectory("colocate-suite")
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    session = (TestConf.common ++ Map(
      "spark.sql.warehouse.dir" -> home.resolve("warehouse").toString) ++
      sessionConf)
      .foldLeft(SparkSession.builder().master("local[2]").appName(suiteName)) {
        case (builder, (key, value)) => builder.config(key, value)
      }
      .getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
  }

  override protected def afterAll(): Unit = {
    try {
      if (session != null) session.stop()
      SparkSession.clearActiveSession()
      SparkSession.clearDefaultSession()
      if (home != null) FileUtils.deleteQuietly(home.toFile)
    } finally super.afterAll()
  }

  /** A folder that lives as long as the suite. */
  protected def scratch(name: String): String = home.resolve(name).toString

  protected def sql(text: String): DataFrame = spark.sql(text)

  /** Runs `body` under the given settings and puts the former ones back. */
  protected def withConf[T](settings: (String, String)*)(body: => T): T = {
    // What was set, and not the default: a setting that says the default again is another one.
    val before = settings.map { case (key, _) => key -> spark.conf.getAll.get(key) }
    settings.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally
      before.reverse.foreach {
        case (key, Some(value)) => spark.conf.set(key, value)
        case (key, None) => spark.conf.unset(key)
      }
  }

  /** Plans and runs a query under `run`'s settings. The query is built anew each time. */
  protected def execute(run: RunConf, settings: (String, String)*)(query: => DataFrame): Executed =
    withConf(run.settings ++ settings: _*) {
      var frame: DataFrame = null
      val outcome = Outcome { frame = query; frame.collect().toSeq }
      Executed(run, outcome, Try(frame.queryExecution.executedPlan).toOption)
    }

  /** Tests that need the planner are cancelled, not passed, where it does not exist. */
  protected def assumeExtension(): Unit =
    assume(TestConf.extensionExists, s"${TestConf.Extension} is not on the class path")
}

/** One way to run a query. */
final case class RunConf(colocate: Boolean, adaptive: Boolean) {
  def settings: Seq[(String, String)] = Seq("spark.colocate.enabled" -> colocate.toString,
    "spark.sql.adaptive.enabled" -> adaptive.toString)

  override def toString: String =
    s"Colocate ${if (colocate) "on" else "off"}, AQE ${if (adaptive) "on" else "off"}"
}

/** A query that was run; the plan is the final one, None where the query could not be planned. */
final case class Executed(run: RunConf, outcome: Outcome, plan: Option[SparkPlan]) {
  def shuffles: Int = plan.map(Exchanges.count).getOrElse(0)
  def partitionings: Seq[String] = plan.toSeq.flatMap(Exchanges.partitionings)

  /** The operators that matter for partitionings; two runs that differ in it were planned differently. */
  def shape: String = plan.map(ShortPlan(_)).getOrElse("")
}

object TestConf {
  val Extension = "io.colocate.ColocateExtensions"

  val extensionExists: Boolean = Try(Class.forName(Extension)).isSuccess

  /**
   * The extension where its class exists; its errors, declines without a reason, and rules whose result is not
   * as it must be fail a test.
   */
  val extension: Map[String, String] = Map("spark.colocate.testing.rethrowErrors" -> "true",
    "spark.colocate.testing.strictReasons" -> "true",
    "spark.colocate.testing.checkRules" -> "true") ++
    Option.when(extensionExists)("spark.sql.extensions" -> Extension)

  val common: Map[String, String] = extension ++ Map("spark.ui.enabled" -> "false",
    "spark.sql.shuffle.partitions" -> "4", "spark.sql.files.minPartitionNum" -> "2",
    "spark.sql.planChangeValidation" -> "true", "spark.sql.session.timeZone" -> "UTC")

  /** For a suite whose cases depend on the number of partitions. */
  val eightPartitions: Map[String, String] =
    Map("spark.sql.shuffle.partitions" -> "8", "spark.sql.files.minPartitionNum" -> "3")

  /** All finished stages are read as if they were large. */
  val noGather: Seq[(String, String)] = Seq("spark.colocate.exchange.gather" -> "false")

  /** Joins shuffle both sides, as in the research's catalogue. */
  val noBroadcast: Seq[(String, String)] = Seq("spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "-1")
}
