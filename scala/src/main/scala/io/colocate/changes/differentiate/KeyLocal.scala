package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, FullOuter, JoinType, LeftAnti, LeftOuter, LeftSemi, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Window}

/**
 * An operator whose rows of a key depend on the input rows of this key alone.
 *
 * {{{
 *   Aggregate [city], count(*)         keys: city
 *   Window PARTITION BY a, b           keys: a, b
 *   Join LeftOuter, l.k = r.k AND ...  keys: l.k, r.k
 * }}}
 *
 * Counter-examples: NOT IN, as one NULL on the right takes all rows away, and an aggregate without GROUP BY,
 * whose row depends on all rows.
 *
 * @param keys for each input, equal in number and types
 */
final private[changes] case class KeyLocal(plan: LogicalPlan, keys: Seq[Seq[Expression]])

private[changes] object KeyLocal {

  def unapply(plan: LogicalPlan): Option[KeyLocal] = plan match {
    case Aggregate(grouping, _, _, _) if grouping.nonEmpty => Some(KeyLocal(plan, Seq(grouping)))
    case window: Window if window.partitionSpec.nonEmpty =>
      Some(KeyLocal(plan, Seq(window.partitionSpec)))
    case join @ ExtractEquiJoinKeys(kind, left, right, _, _, _, _, _) if byKey(kind) =>
      Some(KeyLocal(join, Seq(left, right)))
    case _ => None
  }

  private def byKey(kind: JoinType): Boolean = kind match {
    case LeftOuter | RightOuter | FullOuter | LeftSemi | LeftAnti | ExistenceJoin(_) => true
    case _ => false
  }

  /** Which columns of the output hold the keys; None if one of them is not there. */
  def shown(local: KeyLocal): Option[Seq[Attribute]] = local.plan match {
    case Aggregate(grouping, columns, _, _) =>
      all(grouping.map(key => columns.find(isOf(key)).map(_.toAttribute)))
    case window: Window =>
      all(window.partitionSpec.map { key =>
        Option(key).collect { case a: Attribute if window.outputSet.contains(a) => a }
      })
    case _ => None
  }

  private def isOf(key: Expression)(column: NamedExpression): Boolean = column match {
    case Alias(value, _) => value.semanticEquals(key)
    case other => other.semanticEquals(key)
  }

  private def all[T](each: Seq[Option[T]]): Option[Seq[T]] =
    Option.when(each.forall(_.isDefined))(each.flatten)
}
