package io.colocate.facts.estimated

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId, Expression}

/**
 * What is known of one column. None is "unknown", never a guess.
 *
 * @param distinct     distinct values, NULL not counted
 * @param nullFraction share of rows that are NULL, 0 to 1
 * @param hottest      share of rows that the most frequent value holds, 0 to 1
 * @param width        bytes of a value in a row
 */
final case class ColumnFacts(
    distinct: Option[Double],
    nullFraction: Option[Double],
    hottest: Option[Double],
    width: Option[Double])

object ColumnFacts {
  val Unknown: ColumnFacts = ColumnFacts(None, None, None, None)
}

/**
 * What is true of the rows that an operator gives.
 *
 * @param rows      estimated number of rows, None where nothing tells
 * @param assumed   true where the number rests on the assumption that a join is key to foreign key
 * @param columns   facts by column, absent is unknown
 * @param constants columns that hold one value, never NULL
 * @param equal     classes of columns that are equal and not NULL in every row, of one type
 * @param unique    sets of columns no two rows agree on
 */
final case class RowFacts(
    rows: Option[Double],
    assumed: Boolean,
    columns: Map[ExprId, ColumnFacts],
    constants: Set[ExprId],
    equal: Seq[Set[ExprId]],
    unique: Seq[Set[ExprId]]) {

  def column(id: ExprId): ColumnFacts = columns.getOrElse(id, ColumnFacts.Unknown)

  /** What is left to know of columns that rows are added to, or repeated in, nobody knows how many. */
  def widths: Map[ExprId, ColumnFacts] =
    columns.map { case (id, c) => id -> ColumnFacts.Unknown.copy(width = c.width) }

  /** Estimated bytes of the rows with these columns, as an exchange would write them. */
  def bytes(output: Seq[Attribute]): Option[Double] = rows.map(_ * rowBytes(output))

  /** Estimated bytes of one row with these columns: Spark's own 8 bytes for a row, and the values. */
  def rowBytes(output: Seq[Attribute]): Double =
    8 + output.map(a => column(a.exprId).width.getOrElse(a.dataType.defaultSize.toDouble)).sum

  /** Distinct combinations of the keys; None where a key is no column or its count is unknown. */
  def distinct(keys: Seq[Expression]): Option[Double] = {
    val each = keys.map {
      case a: Attribute if constants(a.exprId) => Some(1.0)
      case a: Attribute => column(a.exprId).distinct
      case _ => None
    }
    if (each.exists(_.isEmpty)) None
    else Some(rows.foldLeft(each.flatten.product)((d, most) => d.min(most)).max(1.0))
  }

  /**
   * The share of rows that the most frequent combination of the keys can hold at most, by the
   * columns' hottest values and NULLs; None where no column tells.
   */
  def hottest(keys: Seq[Expression]): Option[Double] = {
    val shares = keys.collect { case a: Attribute => column(a.exprId) }.flatMap { c =>
      c.hottest.map(_.max(c.nullFraction.getOrElse(0.0)))
    }
    if (shares.isEmpty) None else Some(shares.min)
  }

  /** The share of rows with NULL in every key, which a hash puts into one partition. */
  def nullShare(keys: Seq[Expression]): Option[Double] = {
    val shares = keys.collect { case a: Attribute => column(a.exprId).nullFraction }.flatten
    if (keys.isEmpty || shares.length < keys.length) None else Some(shares.min)
  }

  /** True where no two rows agree on all of these keys. */
  def isUnique(keys: Seq[Expression]): Boolean = {
    val ids = keys.collect { case a: Attribute => a.exprId }.toSet
    unique.exists(_.subsetOf(ids)) || (for (r <- rows; d <- distinct(keys)) yield d >= 0.99 * r)
      .contains(true) && !assumed && keys.nonEmpty
  }

  def equalTo(id: ExprId): Set[ExprId] = equal.find(_.contains(id)).fold(Set.empty[ExprId])(_ - id)
}

object RowFacts {
  val Unknown: RowFacts = RowFacts(None, assumed = false, Map.empty, Set.empty, Nil, Nil)
}
