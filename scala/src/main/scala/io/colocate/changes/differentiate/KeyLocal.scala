package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, FullOuter, JoinType, LeftAnti, LeftOuter, LeftSemi, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project, Window}

/**
 * An operator whose rows of a key depend on the input rows of this key alone.
 *
 * {{{
 *   Aggregate [city], count(*)         keys: city
 *   Window PARTITION BY a, b           keys: a, b; windows below it with the same ones belong to it
 *   Join LeftOuter, l.k = r.k AND ...  keys: l.k, r.k
 * }}}
 *
 * Counter-examples: NOT IN, as one NULL on the right takes all rows away, and an aggregate without GROUP BY,
 * whose row depends on all rows.
 *
 * @param inputs what it reads
 * @param keys   for each input, equal in number and types
 */
final private[changes] case class KeyLocal(
    plan: LogicalPlan,
    inputs: Seq[LogicalPlan],
    keys: Seq[Seq[Expression]]) {

  /** The same operator over other inputs with the same columns. */
  def over(others: Seq[LogicalPlan]): LogicalPlan = replaced(plan, inputs.zip(others))

  /** True of the operator and what belongs to it. */
  def has(node: LogicalPlan): Boolean = node.eq(plan) || between(plan).exists(_.eq(node))

  private def between(node: LogicalPlan): Seq[LogicalPlan] =
    node.children.filterNot(child => inputs.exists(_.eq(child))).flatMap(child =>
      child +: between(child))

  private def replaced(node: LogicalPlan, by: Seq[(LogicalPlan, LogicalPlan)]): LogicalPlan =
    node.mapChildren(child =>
      by.collectFirst { case (input, other) if input.eq(child) => other }
        .getOrElse(replaced(child, by)))
}

private[changes] object KeyLocal {

  def unapply(plan: LogicalPlan): Option[KeyLocal] = plan match {
    case Aggregate(grouping, _, child, _) if grouping.nonEmpty =>
      Some(KeyLocal(plan, Seq(child), Seq(grouping)))
    case window: Window if window.partitionSpec.nonEmpty =>
      Some(KeyLocal(window, Seq(below(window, window.partitionSpec)), Seq(window.partitionSpec)))
    case join @ ExtractEquiJoinKeys(kind, left, right, _, _, _, _, _) if byKey(kind) =>
      Some(KeyLocal(join, join.children, Seq(left, right)))
    case _ => None
  }

  /** What a window and those right below it with the same partitions read. */
  private def below(window: Window, keys: Seq[Expression]): LogicalPlan = next(window.child) match {
    case Some(lower) if lower.partitionSpec.map(_.canonicalized) == keys.map(_.canonicalized) =>
      below(lower, keys)
    case _ => window.child
  }

  /** The next window, if only columns are chosen in between. */
  private def next(plan: LogicalPlan): Option[Window] = plan match {
    case window: Window => Some(window)
    case Project(columns, child) if columns.forall(_.isInstanceOf[Attribute]) => next(child)
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
