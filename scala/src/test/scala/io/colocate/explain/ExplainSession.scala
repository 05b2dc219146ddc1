package io.colocate.explain

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{DataFrame, Row, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.functions.TableFunctions
import io.colocate.report.{ExchangeReasons, Finding, PlanReport, Reason, Shuffles}
import io.colocate.rule.{ColocateConf, Phase, RuleRow, SessionSetup}

/**
 * A local session with the explain room alone. A stand-in for the planner writes a fixed report on
 * each plan that has an exchange to come, so that these suites say nothing about planning.
 */
trait ExplainSession extends AnyFunSuite with BeforeAndAfterAll {

  protected var spark: SparkSession = _

  /** What plans; a stand-in unless a suite wants the real one. */
  protected def rules(extensions: SparkSessionExtensions): Unit =
    extensions.injectQueryPostPlannerStrategyRule(_ => ExplainSession.StandIn)

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    spark = SparkSession
      .builder()
      .master("local[2]")
      .config("spark.sql.planChangeValidation", "true")
      .config("spark.sql.autoBroadcastJoinThreshold", "-1")
      .withExtensions { extensions =>
        TableFunctions.all.foreach(extensions.injectTableFunction)
        RuleRow.needed("session-setup", Phase.Analysis)("of explain() alone")(SessionSetup(_,
          Seq(ColocateExplainProvider.Setting))).inject(extensions)
        rules(extensions)
      }
      .getOrCreate()
    spark
      .range(0, 1000)
      .selectExpr("id", "id % 10 AS a", "id % 7 AS b", "id % 3 AS c")
      .createOrReplaceTempView("t")
  }

  override protected def afterAll(): Unit = {
    try spark.stop()
    finally super.afterAll()
  }

  protected def withConf[T](pairs: (String, String)*)(body: => T): T = {
    val old = pairs.map { case (key, _) => key -> spark.conf.getOption(key) }
    pairs.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally
      old.foreach { case (key, value) => value.fold(spark.conf.unset(key))(spark.conf.set(key, _)) }
  }

  protected def aqe[T](on: Boolean)(body: => T): T =
    withConf("spark.sql.adaptive.enabled" -> on.toString)(body)

  protected def plan(frame: DataFrame): SparkPlan =
    frame.asInstanceOf[org.apache.spark.sql.classic.Dataset[Row]].queryExecution.executedPlan

  protected val groups = "SELECT a, b, count(*) AS n FROM t GROUP BY a, b"
  protected val join =
    "SELECT x.a, count(*) FROM t x JOIN t y ON x.id = y.id GROUP BY x.a"
}

object ExplainSession {

  val removed: Finding = ExchangeFindings.removed("SortMergeJoin", Seq("a", "b"), Seq("a"),
    Seq(Reason(ExchangeReasons.SubsetKeys, "keys" -> "a", "required" -> "a, b"),
      Reason(ExchangeReasons.SmallEdge, "bytes" -> "1.2 MiB", "limit" -> "256.0 MiB")))

  val kept: Finding = ExchangeFindings.kept("HashAggregate", Seq("c", "d"),
    Reason(ExchangeReasons.UnknownSize, "keys" -> "c", "required" -> "c, d"))

  val report: PlanReport =
    PlanReport(Shuffles(5, 21076377), Shuffles(3, 12897485), Seq(removed, kept))

  /** The same bytes, moved by so many shuffles. */
  def counting(stock: Int, ours: Int): PlanReport =
    report.copy(stock = report.stock.copy(count = stock), ours = report.ours.copy(count = ours))

  /** Tags every plan it sees, while Colocate is on. */
  object StandIn extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = {
      if (ColocateConf.Enabled(plan.conf)) PlanReport.put(plan, report)
      plan
    }
  }
}
