package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.IntegerType

class RuleCheckSuite extends AnyFunSuite {

  private val a = AttributeReference("a", IntegerType)()
  private val b = AttributeReference("b", IntegerType)()
  private val plan: LogicalPlan = LocalRelation(a, b)

  final private class Rule(body: LogicalPlan => LogicalPlan) extends OptionalLogicalRule {
    override def apply(plan: LogicalPlan): LogicalPlan = body(plan)
    override def failed(plan: LogicalPlan, error: Throwable): LogicalPlan = plan
  }

  private val conf = {
    val conf = new SQLConf
    for (key <- Seq("checkRules", "rethrowErrors"))
      conf.setConfString(s"spark.colocate.testing.$key", "true")
    conf
  }

  private def run(body: LogicalPlan => LogicalPlan): LogicalPlan =
    SQLConf.withExistingConf(conf)(RuleRunner.optional("checked test rule", Switch.Exchange,
      new Rule(body)).apply(plan))

  private def fault(body: LogicalPlan => LogicalPlan): String =
    intercept[IllegalStateException](run(body)).getMessage

  test("a rule that changes a plan once, and keeps its columns, passes") {
    run(identity)
    run {
      case done: Filter => done
      case other => Filter(Literal.TrueLiteral, other)
    }
  }

  test("a rule that gives other columns is found") {
    assert(fault(Project(Seq(a), _)).contains("checked test rule gives other columns"))
    assert(fault(Project(Seq(b, a), _)).contains("gives other columns"))
  }

  test("a rule that changes its own result is found") {
    assert(fault(Filter(Literal.TrueLiteral, _)).contains("changes its own result"))
  }

  test("a rule that leaves what is not resolved is found") {
    assert(fault(Filter(UnresolvedAttribute("c"), _)).contains(
        "leaves a plan that is not resolved"))
  }
}
