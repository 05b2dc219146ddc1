package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}

/**
 * A query whose last operator but projections and filters groups rows by keys that its rows show. The
 * view's rows of the keys that changed are replaced by those that the query has now:
 *
 * {{{
 *   SELECT city, avg(price) FROM orders GROUP BY city
 *
 *   d(view) = query over the changed cities  -  the view's rows of these cities
 * }}}
 *
 * Valid whatever the operator computes, as what is taken away is what was stored. Only what is below it
 * must be [[Exact]]. Counter-example: SELECT avg(price) ... GROUP BY city, where the rows do not tell which
 * city they are of.
 *
 * @param keys for each key of the operator, which column of the query shows it
 */
final private[changes] case class TopByKey(plan: LogicalPlan, local: KeyLocal, keys: Seq[Int]) {

  /** @param stored the view's rows, with columns in the query's order */
  def change(by: Differentiate, stored: LogicalPlan): Option[Signed] = by.touched(local).flatMap {
    keys =>
      val fresh = plan.transform {
        case node if node.eq(local.plan) => by.restricted(local, by.now, keys)
      }
      val gone = Differentiate.having(stored, this.keys.map(stored.output(_)), keys)
      Signed.all(Seq(Signed(plan.output, Differentiate.diff(1), fresh),
        Signed(stored.output, Differentiate.diff(-1), gone)), plan.output)
  }
}

private[changes] object TopByKey {

  def of(plan: LogicalPlan): Option[TopByKey] = for {
    local <- below(plan)
    shown <- KeyLocal.shown(local)
    named = traced(plan, local.plan)
    places = shown.map(key => plan.output.indexWhere(column => named.get(column).contains(key)))
    if !places.contains(-1)
  } yield TopByKey(plan, local, places)

  private def below(plan: LogicalPlan): Option[KeyLocal] = plan match {
    case Project(_, child) => below(child)
    case Filter(_, child) => below(child)
    case KeyLocal(local) if local.keys.length == 1 => Some(local)
    case _ => None
  }

  /** Which column of an operator each column is, for those that are one unchanged. */
  private def traced(plan: LogicalPlan, to: LogicalPlan): AttributeMap[Attribute] = plan match {
    case same if same.eq(to) => AttributeMap(to.output.map(a => a -> a))
    case Project(columns, child) =>
      val below = traced(child, to)
      AttributeMap(
        columns.flatMap(column => one(column).flatMap(below.get).map(column.toAttribute -> _)))
    case other => traced(other.children.head, to)
  }

  private def one(column: NamedExpression): Option[Attribute] = column match {
    case Alias(of: Attribute, _) => Some(of)
    case of: Attribute => Some(of)
    case _ => None
  }
}
