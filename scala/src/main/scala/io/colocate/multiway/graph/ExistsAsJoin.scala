package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions.{Exists, Expression, InSubquery, Not, SubqueryExpression}
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery
import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LocalRelation, LogicalPlan}

import io.colocate.facts.expressions.Equalities

/**
 * Turns EXISTS, IN, NOT EXISTS and NOT IN among inner joins into left semi and anti joins. Spark does so
 * too, but only after the rules that run before cost-based optimisation:
 *
 * {{{
 *   Filter (NOT exists#1 [c.dst = x.src AND a.src = x.dst])   Join LeftAnti (c.dst = x.src AND a.src = x.dst)
 *   :  +- Relation edges x                               =>   :- Join (a.dst = b.src)
 *   +- Join (a.dst = b.src)                                   +- Relation edges x
 * }}}
 *
 * Valid as Spark's own rule does it. Counter-example: EXISTS within OR, which is not a join that drops rows.
 */
private[multiway] object ExistsAsJoin {

  def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case Filter(condition, child) if asks(condition) =>
      val (asked, rest) = Equalities.conjuncts(condition).partition(asksOne)
      val below = Joins.filtered(apply(child), rest)
      if (Region.inside(below)) joined(below, asked) else plan
    case Join(left, right, LeftSemi | LeftAnti, _, _) =>
      plan.withNewChildren(Seq(apply(left), right))
    case _ if Region.passes(plan) => plan.mapChildren(apply)
    case _ => plan
  }

  /** Spark's rule would rewrite everything below too, so it gets a placeholder for that. */
  private def joined(below: LogicalPlan, asked: Seq[Expression]): LogicalPlan = {
    val rows = LocalRelation(below.output)
    RewritePredicateSubquery(Joins.filtered(rows, asked)).transform { case `rows` => below }
  }

  private def asks(condition: Expression): Boolean =
    condition.deterministic && Equalities.conjuncts(condition).exists(asksOne)

  private def asksOne(condition: Expression): Boolean = condition match {
    case Not(child) => !child.isInstanceOf[Not] && asksOne(child)
    case exists: Exists => exists.isCorrelated
    case in: InSubquery => !in.values.exists(SubqueryExpression.hasSubquery)
    case _ => false
  }
}
