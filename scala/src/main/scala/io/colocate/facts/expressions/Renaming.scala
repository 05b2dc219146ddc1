package io.colocate.facts.expressions

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._

/**
 * The names that a projection gives to the columns that it passes on. `SELECT a AS x, a AS y, b + 1 AS z`
 * gives `a` two names, and `b` none: a computed value is another column.
 *
 * @param equal classes of columns that hold the same bits in each row: one that is not passed on goes by the
 *              names of another of its class
 */
final class Renaming(list: Seq[NamedExpression], equal: Seq[Set[ExprId]] = Nil) {

  private val names: collection.Map[ExprId, Seq[ExprId]] = {
    val found = mutable.LinkedHashMap.empty[ExprId, Vector[ExprId]]
    def add(column: ExprId, name: ExprId): Unit = {
      val before = found.getOrElse(column, Vector.empty)
      if (!before.contains(name)) found.put(column, before :+ name)
    }
    list.foreach {
      case a: Attribute => add(a.exprId, a.exprId)
      case alias @ Alias(a: Attribute, _) => add(a.exprId, alias.exprId)
      case _ =>
    }
    found
  }

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
    names.valuesIterator.flatMap(several => several.tail.map(several.head -> _)).toSeq
}
