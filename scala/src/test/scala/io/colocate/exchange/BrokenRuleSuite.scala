package io.colocate.exchange

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Range}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.{FilterExec, RangeExec, SimpleMode, SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.replan.CombineAggregates
import io.colocate.exchange.search.Search
import io.colocate.report.InternalError
import io.colocate.testing.{Executed, FourRuns, PlanText, Reports, RunConf, TestConf}

/**
 * An error inside a rule leaves Spark's plan and a reason. It comes from an operator that fails when
 * that rule asks for its partitioning, name or input, and works when Spark asks.
 *
 * {{{
 *   build/sbt "scala/testOnly *BrokenRuleSuite"
 * }}}
 */
class BrokenRuleSuite extends FourRuns {

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.extensions" -> s"${TestConf.Extension},${classOf[BrokenOperators].getName}")

  private val query = "SELECT a, max(n) AS n FROM " +
    "(SELECT id % 7 AS a, id % 3 AS b, count(*) AS n FROM range(0, 99, 1, 3) GROUP BY 1, 2) GROUP BY a"

  private def broken[T](settings: (String, String)*)(body: => T): T =
    brokenFor(classOf[Search], settings: _*)(body)

  private def brokenFor[T](rule: Class[_], settings: (String, String)*)(body: => T): T =
    withConf(settings :+ (BrokenOperators.Key -> rule.getName): _*)(body)

  private val carryOn = "spark.colocate.testing.rethrowErrors" -> "false"

  test("Spark's plan and its rows stay, and the report says what failed") {
    val runs = broken(carryOn)(fourSql(query))
    assertShuffles(runs, stock = 2, ours = 2)
    assert(PlanText.normal(runs.ourPlan.toString) == PlanText.normal(runs.stockPlan.toString))
    for (run <- runs.own) {
      assert(Reports.declines(run) == Set(InternalError))
      assert(Reports.reasons(run).isEmpty)
    }
  }

  for (adaptive <- Seq(false, true)) {
    test(s"explain() says it, AQE $adaptive") {
      broken(RunConf(colocate = true, adaptive).settings :+ carryOn: _*) {
        val text = sql(query).queryExecution.explainString(SimpleMode)
        assert(text.contains("[INTERNAL_ERROR: exchange failed: "), text)
        assert(text.contains(BrokenOperators.Message), text)
      }
    }

    test(s"where tests ask for errors, the query fails, AQE $adaptive") {
      broken(RunConf(colocate = true, adaptive).settings: _*) {
        val error = intercept[Exception](sql(query).collect())
        assert(error.getMessage.contains(BrokenOperators.Message))
      }
    }
  }

  test(
    "an aggregate that cannot be computed at once stays in two halves, and the report says why") {
    // Of distinct rows: Spark has no quicker map for keys alone.
    val distinct = "SELECT a FROM (SELECT id % 7 AS a, id % 3 AS b, count(*) AS n " +
      "FROM range(0, 99, 1, 3) GROUP BY 1, 2) WHERE n > 1 GROUP BY a"
    def halves(run: Executed) = nodes(run) { case aggregate: BaseAggregateExec => aggregate }.length
    def both: Seq[Executed] = {
      val runs = fourSql(distinct)
      Seq(runs.ours, runs.oursAdaptive)
    }
    val (once, twice) = (both, brokenFor(CombineAggregates.getClass, carryOn)(both))
    for ((whole, parted) <- once.zip(twice)) {
      assert(halves(whole) < halves(parted))
      assert(!Reports.declines(whole)(InternalError))
      assert(Reports.declines(parted)(InternalError))
      assert(Reports.reasons(parted).nonEmpty, "what the planner did is still told")
    }
  }

  test("without the error the plan is another one, and no error is reported") {
    val runs = withConf(carryOn)(fourSql(query))
    assertShuffles(runs, stock = 2, ours = 1)
    for (run <- runs.own)
      assert(!Reports.declines(run)(InternalError))
  }
}

/** Puts an operator above ranges and filters that fails for a rule, while a setting names its class. */
final class BrokenOperators extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit =
    extensions.injectPlannerStrategy(_ => BrokenOperators.Strategy)
}

object BrokenOperators {
  val Key = "spark.test.brokenOperators"
  val Message = "broken for the sake of a test"

  private object Strategy extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case range: Range if SQLConf.get.contains(Key) => broken(RangeExec(range))
      case Filter(condition, child) if SQLConf.get.contains(Key) =>
        broken(FilterExec(condition, planLater(child)))
      case _ => Nil
    }

    private def broken(plan: SparkPlan) = Seq(Broken(plan, SQLConf.get.getConfString(Key)))
  }

  private case class Broken(hidden: SparkPlan, rule: String) extends UnaryExecNode {
    override def child: SparkPlan = unlessAsked(hidden)

    override def output: Seq[Attribute] = hidden.output

    override def nodeName: String = unlessAsked(super.nodeName)

    override def outputPartitioning: Partitioning = unlessAsked(hidden.outputPartitioning)

    private def unlessAsked[T](answer: => T): T =
      if (Thread.currentThread.getStackTrace.exists(_.getClassName.startsWith(rule)))
        throw new IllegalStateException(Message)
      else answer

    override protected def doExecute(): RDD[InternalRow] = hidden.execute()
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
      copy(hidden = newChild)
  }
}
