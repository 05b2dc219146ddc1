package io.colocate.rule

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/**
 * Checks the result of every rule, for tests (spark.colocate.testing.checkRules): it has the same
 * columns as the plan before; a logical plan is still resolved, and the rule does not change it again.
 */
private[rule] object RuleCheck {

  def apply[In, Out](name: String, rule: PlanRule[In, Out], before: In, after: Out): Unit =
    faults(rule, before, after).foreach(fault =>
      throw new IllegalStateException(s"the rule $name $fault:\n$before\nbecomes\n$after"))

  private def faults[In, Out](rule: PlanRule[In, Out], before: In, after: Out): Option[String] =
    (before, after) match {
      case (plan: LogicalPlan, made: LogicalPlan) =>
        if (plan eq made) None
        else if (plan.resolved && !made.resolved) Some("leaves a plan that is not resolved")
        else if (!sameColumns(plan, made)) Some(OtherColumns)
        else if (rule(made.asInstanceOf[In]) != made) Some("changes its own result")
        else None
      case (plan: QueryPlan[_], made: QueryPlan[_]) if !sameColumns(plan, made) =>
        Some(OtherColumns)
      case (plan: QueryPlan[_], candidates: Seq[_]) =>
        candidates.collectFirst {
          case made: QueryPlan[_] if !sameColumns(plan, made) => OtherColumns
        }
      case _ => None
    }

  private val OtherColumns = "gives other columns"

  private def sameColumns(one: QueryPlan[_], other: QueryPlan[_]): Boolean =
    columns(one) == columns(other)

  private def columns(plan: QueryPlan[_]): Seq[Any] =
    plan.output.map((column: Attribute) => (column.exprId, column.dataType))
}
