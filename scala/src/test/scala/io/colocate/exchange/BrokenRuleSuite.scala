package io.colocate.exchange

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Range}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{RangeExec, SimpleMode, SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.reason.ReasonCode
import io.colocate.testing._

/**
 * An error inside the planner leaves Spark's plan and a reason. It comes from an operator that fails
 * when our search asks for its layout, and works when Spark asks.
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
    withConf(settings :+ (BrokenOperators.Key -> "true"): _*)(body)

  private val carryOn = "spark.colocate.testing.rethrowErrors" -> "false"

  test("Spark's plan and its rows stay, and the report says what failed") {
    val runs = broken(carryOn)(fourSql(query))
    assertShuffles(runs, stock = 2, ours = 2)
    assert(PlanText.normal(runs.ours.plan.get.toString) ==
      PlanText.normal(runs.stock.plan.get.toString))
    for (run <- Seq(runs.ours, runs.oursAdaptive)) {
      assert(Reports.declines(run) == Set(ReasonCode.InternalError))
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

  test("without the error the plan is another one, and no error is reported") {
    val runs = withConf(carryOn)(fourSql(query))
    assertShuffles(runs, stock = 2, ours = 1)
    for (run <- Seq(runs.ours, runs.oursAdaptive))
      assert(!Reports.declines(run)(ReasonCode.InternalError))
  }
}

/** Puts an operator that fails for our planner above each range, while a setting asks for it. */
final class BrokenOperators extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit =
    extensions.injectPlannerStrategy(_ => BrokenOperators.Strategy)
}

object BrokenOperators {
  val Key = "spark.test.brokenOperators"
  val Message = "broken for the sake of a test"

  private object Strategy extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case range: Range if SQLConf.get.getConfString(Key, "false").toBoolean =>
        Seq(Broken(RangeExec(range)))
      case _ => Nil
    }
  }

  private case class Broken(child: SparkPlan) extends UnaryExecNode {
    override def output: Seq[Attribute] = child.output

    override def outputPartitioning: Partitioning = {
      val search = classOf[Search].getName
      if (Thread.currentThread.getStackTrace.exists(_.getClassName.startsWith(search)))
        throw new IllegalStateException(Message)
      child.outputPartitioning
    }

    override protected def doExecute(): RDD[InternalRow] = child.execute()
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
      copy(child = newChild)
  }
}
