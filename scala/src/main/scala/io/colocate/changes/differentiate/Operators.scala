package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE

import io.colocate.report.{ChangesReasons, Reason}

/**
 * How each operator of a plain query is maintained, or why it cannot be.
 *
 * | operator | how |
 * |---|---|
 * | Project, Filter, Generate, Expand, Union | linear |
 * | inner join | one rule for each input |
 * | GROUP BY, DISTINCT, PARTITION BY | by the keys that changed |
 * | outer, semi and anti join with equal keys | by the keys that changed |
 * | all else | recomputed, with a reason |
 */
private[changes] object Operators {

  /** @param how a few words; None with a reason */
  final case class Verdict(operator: String, how: Option[String], reason: Option[Reason])

  /** A verdict for each operator, those above first. */
  def of(plan: LogicalPlan): Seq[Verdict] = {
    val top = TopByKey.of(plan).map(_.local)
    plan.collect { case node => verdict(node, top.exists(_.has(node))) }
  }

  /** Why the query cannot be maintained; empty if it can. */
  def problems(plan: LogicalPlan): Seq[Reason] = of(plan).flatMap(_.reason)

  def isLimit(plan: LogicalPlan): Boolean = plan match {
    case _: GlobalLimit | _: LocalLimit | _: Offset | _: Tail => true
    case _ => false
  }

  private def verdict(node: LogicalPlan, byKey: Boolean): Verdict = {
    val reason =
      expressions(node).orElse(operator(node)).orElse(if (byKey) None else Exact.problem(node))
    Verdict(node.nodeName, Option.when(reason.isEmpty)(how(node, byKey)), reason)
  }

  private def how(node: LogicalPlan, byKey: Boolean): String = node match {
    case _: LeafNode => "read"
    case Linear(_) | _: Union => "row by row"
    case Join(_, _, _: InnerLike, _, _) => "each side's changes with the other side"
    case _ if byKey => "the rows of keys that changed, in place of the view's"
    case _ => "the rows of keys that changed, as they are less as they were"
  }

  private def operator(node: LogicalPlan): Option[Reason] = node match {
    case Linear(_) | Join(_, _, _: InnerLike, _, _) | KeyLocal(_) => None
    case union: Union => Option.when(union.byName)(unknown(node))
    case Aggregate(Seq(), _, _, _) => Some(Reason(ChangesReasons.GlobalAggregate))
    case _: Window => Some(Reason(ChangesReasons.UnboundedWindow))
    case join: Join => Some(Reason(ChangesReasons.JoinWithoutKeys, "join" -> join.joinType.sql))
    case other if isLimit(other) || other.isInstanceOf[Sort] =>
      Some(Reason(ChangesReasons.LimitedRows))
    // Which leaves are known is for those to say who know their versions.
    case _: LeafNode => None
    case other => Some(unknown(other))
  }

  private def unknown(node: LogicalPlan) =
    Reason(ChangesReasons.OperatorUnknown, "operator" -> node.nodeName)

  private def expressions(node: LogicalPlan): Option[Reason] =
    node.expressions.iterator.flatMap(of).nextOption()

  private def of(expression: Expression): Option[Reason] = {
    def has(part: Expression => Boolean) = expression.find(part)
    has(part => !part.deterministic || part.containsPattern(CURRENT_LIKE)).map(part =>
      Reason(ChangesReasons.NotDeterministic, "what" -> part.sql))
      .orElse(has(ofUser).map(part => Reason(ChangesReasons.UserFunction, "what" -> part.sql)))
      .orElse(has(ofOrder).map(part => Reason(ChangesReasons.OrderDependent, "what" -> part.sql)))
      .orElse(subqueries(expression).flatMap(ofSubquery).headOption)
  }

  private def subqueries(expression: Expression): Seq[SubqueryExpression] = expression.collect {
    case subquery: SubqueryExpression => subquery
  }

  /** One value may turn out to be the same as before; it must be computed alike then. */
  private def ofSubquery(subquery: SubqueryExpression): Option[Reason] = subquery match {
    case one: ScalarSubquery if one.outerAttrs.isEmpty =>
      one.plan.collect { case node => expressions(node).orElse(Exact.problem(node)) }.flatten
        .headOption
    case _ => Some(Reason(ChangesReasons.SubqueryValue, "why" -> "which gives more than one value"))
  }

  /** The reason for a subquery of which [[ofSubquery]] knows none. */
  def subqueryChanged: Reason =
    Reason(ChangesReasons.SubqueryValue, "why" -> "whose value has changed")

  private def ofUser(part: Expression): Boolean = part match {
    case _: UserDefinedExpression | _: VariableReference => true
    case _ => false
  }

  private def ofOrder(part: Expression): Boolean = part match {
    case _: First | _: Last | _: CollectList | _: ListAgg => true
    case _ => false
  }
}
