package io.colocate.changes.view

import org.apache.spark.sql.catalyst.expressions.{Alias, Literal, ScalarSubquery}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, OneRowRelation, Project}
import org.apache.spark.sql.classic.SparkSession

import io.colocate.changes.differentiate.Differentiate

/**
 * Subqueries that give one value. If it is the same before and after a change, it is a constant to the
 * query:
 *
 * {{{
 *   WHERE price > (SELECT max(least) FROM limits)   =>   WHERE price > 12
 * }}}
 *
 * Counter-example: `max(least)` was 12 and is 13 now. Rows without any change come or go then, so the query
 * is computed anew.
 */
private[view] object SubqueryValues {

  /** The query with these values; None if one has changed. */
  def settled(session: SparkSession, plan: LogicalPlan, by: Differentiate): Option[LogicalPlan] = {
    val subqueries = plan.flatMap(_.expressions.flatMap(_.collect { case s: ScalarSubquery => s }))
    def value(of: ScalarSubquery, state: LogicalPlan => LogicalPlan): Literal = {
      val one = state(Project(Seq(Alias(of, "value")()), OneRowRelation()))
      val Array(row) = session.sessionState.executePlan(one).executedPlan.executeCollect()
      Literal(row.copy().get(0, of.dataType), of.dataType)
    }
    val now = subqueries.map(one => one.exprId -> value(one, by.now)).toMap
    Option.when(subqueries.forall(one => value(one, by.old) == now(one.exprId))) {
      if (now.isEmpty) plan
      else plan.transformAllExpressions { case one: ScalarSubquery => now(one.exprId) }
    }
  }
}
