package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._

/**
 * The names that a projection gives to the columns that it passes on. `SELECT a AS x, a AS y, b + 1 AS z`
 * gives `a` two names, and `b` none: a computed value is another column.
 *
 * @param equal classes of columns that hold the same bits in each row: one that is not passed on goes by the
 *              names of another of its class
 */
final class Renaming(list: Seq[NamedExpression], equal: Seq[Set[ExprId]] = Nil) {

  private val names: Map[ExprId, Seq[ExprId]] = list.collect {
    case a: Attribute => a.exprId -> a.exprId
    case alias @ Alias(a: Attribute, _) => a.exprId -> alias.exprId
  }.distinct.groupMap(_._1)(_._2)

  /** All new names of some columns. */
  def all(columns: Set[ExprId]): Set[ExprId] = columns.flatMap(of)

  /** One new name of each column; None if one of them is not passed on. */
  def each(columns: Set[ExprId]): Option[Set[ExprId]] =
    Option.when(columns.forall(of(_).nonEmpty))(columns.map(of(_).head))

  /** All new names of a column. */
  def of(column: ExprId): Seq[ExprId] = names.getOrElse(column,
    equal.filter(_(column)).flatMap(_.flatMap(names.get)).headOption.getOrElse(Nil))

  /** Pairs of names of one column. */
  def copies: Seq[(ExprId, ExprId)] =
    names.values.toSeq.flatMap(several => several.tail.map(several.head -> _))
}
