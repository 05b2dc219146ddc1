package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.analysis.{EliminateSubqueryAliases, EliminateView}
import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, RebalancePartitions, Repartition, RepartitionByExpression, ResolvedHint, Sort}
import org.apache.spark.sql.catalyst.rules.Rule

/**
 * A query without what only abbreviates: names, views and common table expressions, DISTINCT, INTERSECT
 * and EXCEPT, subqueries that are joins, orders and hints. The rules are Spark's own.
 *
 * {{{
 *   SELECT DISTINCT a FROM t         Aggregate [a]
 *   WHERE b IN (SELECT c FROM u)  => +- Join LeftSemi, b = c
 * }}}
 *
 * Valid as each rule keeps the rows. An order is dropped, as a table has none; under a LIMIT it means
 * something, and a query with a LIMIT is refused with the order in place.
 */
private[changes] object Plain {

  def apply(analysed: LogicalPlan): LogicalPlan = withoutOrder(rules.foldLeft(analysed) {
    (plan, rule) => rule(plan)
  })

  private val rules: Seq[Rule[LogicalPlan]] = Seq(EliminateSubqueryAliases, EliminateView,
    InlineCTE(alwaysInline = true), EliminateSubqueryAliases, ReplaceIntersectWithSemiJoin,
    ReplaceExceptWithAntiJoin, RewriteExceptAll, RewriteIntersectAll, ReplaceDistinctWithAggregate,
    ReplaceDeduplicateWithAggregate, PullupCorrelatedPredicates, RewritePredicateSubquery,
    RewriteCorrelatedScalarSubquery, RewriteLateralSubquery, EliminateSubqueryAliases,
    EliminateView, ReplaceDistinctWithAggregate)

  private def withoutOrder(plan: LogicalPlan): LogicalPlan =
    if (plan.exists(Operators.isLimit)) plan
    else
      plan.transform {
        case Sort(_, _, child, _) => child
        case hint: ResolvedHint => hint.child
        case moved: Repartition => moved.child
        case moved: RepartitionByExpression => moved.child
        case moved: RebalancePartitions => moved.child
      }
}
