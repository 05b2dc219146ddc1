package io.colocate.facts.estimated

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId, Expression}

import io.colocate.facts.proved.ProvedFacts

/**
 * Estimates for one column, from statistics that may be old. None means unknown.
 *
 * @param distinct     distinct values, NULL not counted
 * @param nullFraction share of rows that are NULL, 0 to 1
 * @param hottest      share of rows with the most frequent value, 0 to 1
 * @param width        bytes of a value in a row
 */
final case class ColumnEstimates(
    distinct: Option[Double],
    nullFraction: Option[Double],
    hottest: Option[Double],
    width: Option[Double])

object ColumnEstimates {
  val Unknown: ColumnEstimates = ColumnEstimates(None, None, None, None)
}

/**
 * Estimates for the rows that an operator returns. They give the cost of a partitioning, and never justify
 * one.
 *
 * @param rows       number of rows, None if it is unknown
 * @param assumed    true if the number depends on the assumption that a join is key to foreign key
 * @param columns    estimates by column; a missing column is unknown
 * @param likelyKeys sets of columns on which hardly any two rows agree, if statistics are right: keys of an
 *                   input whose rows a join hardly ever repeats. Proved keys need not be among them.
 * @param proved     proved facts of the same rows
 */
final case class RowEstimates(
    rows: Option[Double],
    assumed: Boolean,
    columns: Map[ExprId, ColumnEstimates],
    likelyKeys: Seq[Set[ExprId]],
    proved: ProvedFacts) {

  def column(id: ExprId): ColumnEstimates = columns.getOrElse(id, ColumnEstimates.Unknown)

  /** The estimates that remain if an unknown number of rows is added or repeated: only the widths. */
  def widths: Map[ExprId, ColumnEstimates] =
    columns.map { case (id, c) => id -> ColumnEstimates.Unknown.copy(width = c.width) }

  /** Estimated bytes of the rows with these columns, as an exchange would write them. */
  def bytes(output: Seq[Attribute]): Option[Double] = rows.map(_ * rowBytes(output))

  /** Estimated bytes of one row with these columns: Spark's own 8 bytes for a row, and the values. */
  def rowBytes(output: Seq[Attribute]): Double =
    8 + output.map(a => column(a.exprId).width.getOrElse(a.dataType.defaultSize.toDouble)).sum

  /** Distinct combinations of the keys; None if a key is no column or its count is unknown. */
  def distinct(keys: Seq[Expression]): Option[Double] = {
    val each = keys.map {
      case a: Attribute if proved.constants(a.exprId) => Some(1.0)
      case a: Attribute => column(a.exprId).distinct
      case _ => None
    }
    if (each.exists(_.isEmpty)) None
    else Some(rows.foldLeft(each.flatten.product)((d, most) => d.min(most)).max(1.0))
  }

  /**
   * An upper bound on the share of rows with the most frequent combination of the keys, from the columns'
   * hottest values and NULLs; None if they are unknown for all columns.
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

  /**
   * True if hardly any two rows agree on these keys: by proof, or because there are almost as many values
   * as rows.
   */
  def isLikelyKey(keys: Seq[Expression]): Boolean = {
    val ids = keys.collect { case a: Attribute => a.exprId }.toSet
    proved.findsOne(keys) || likelyKeys.exists(_.subsetOf(ids)) || hardlyRepeats(keys)
  }

  private def hardlyRepeats(keys: Seq[Expression]): Boolean = keys.nonEmpty && !assumed &&
    rows.zip(distinct(keys)).exists { case (r, d) => d >= RowEstimates.AlmostAll * r }

  /** Likely keys, and proved ones. */
  def allKeys: Seq[Set[ExprId]] = (likelyKeys ++ proved.keys.map(_.columns)).distinct
}

object RowEstimates {
  val Unknown: RowEstimates =
    RowEstimates(None, assumed = false, Map.empty, Nil, ProvedFacts.Nothing)

  /** Counts of distinct values are estimates themselves. */
  private val AlmostAll = 0.99
}
