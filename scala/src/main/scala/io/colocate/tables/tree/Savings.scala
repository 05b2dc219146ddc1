package io.colocate.tables.tree

import scala.collection.mutable

/**
 * What filters on each column leave out while a tree grows, and so which column to cut next.
 *
 * A filter that takes few values of a column reads of each leaf's rows the share that the leaf has of
 * the column's range, so that over all leaves it leaves out
 * {{{
 *   saved(column) = sum of rows(leaf) * (1 - span(column, leaf)) / rows
 * }}}
 * Next comes the cut that adds most to the sum of `weight * log(even + saved)` over the columns, where
 * `even` is how many cuts there are on a way through the tree for each column. The logarithm shares
 * out: what helps a column that nothing helps yet is worth more than what helps one that is well off
 * (proportional fairness: Kelly, European Transactions on Telecommunications 8, 1997). A cut of one
 * date counts for all dates and is charged to all of them, so of seven dates one is cut near the
 * root, and the cuts that the others would have had go to columns that stand alone.
 *
 * @param weights how often each column is filtered by, against the others
 * @param from    leaves to start with, some of which may lie below cuts
 * @param leaves  how many are wanted
 */
final private[tree] class Savings(
    sample: Sample,
    weights: Map[String, Double],
    from: Seq[Growing],
    leaves: Int) {

  import sample.narrowing

  private val rows = from.map(_.rows.length).sum.toDouble
  private val even = math.log(leaves.toDouble) / math.log(2) / weights.size
  private val candidates = sample.columns.map(_.name).filter(weights.contains)

  /** Each of these is held against each column, which for all of thousands would take minutes. */
  private val (held, others) =
    candidates.sortBy(-weights(_)).splitAt(Savings.MostHeld) match {
      case (most, rest) => (candidates.filter(most.toSet), rest)
    }

  private val saved = mutable.Map.from(candidates.map { column =>
    column -> from.map(leaf => share(leaf) * (1 - narrowing.span(column, leaf.path))).sum
  })

  /** The column whose cut would add most to a leaf comes first; of equal ones the first in the schema. */
  def order(leaf: Growing): Seq[String] = {
    val worth = candidates.map { column =>
      column -> weights(column) * narrowing.span(column, leaf.path) / (even + saved(column))
    }.toMap
    held.sortBy { cut =>
      -narrowing.of(cut).iterator.map { case (column, by) => by * worth.getOrElse(column, 0.0) }.sum
    } ++ others
  }

  /** Notes that a leaf is cut. */
  def take(leaf: Growing, cut: String): Unit =
    for ((column, by) <- narrowing.of(cut) if saved.contains(column))
      saved(column) += share(leaf) * by * narrowing.span(column, leaf.path)

  private def share(leaf: Growing): Double = if (rows == 0) 0.0 else leaf.rows.length / rows
}

private[tree] object Savings {

  /** Columns that are compared; a tree is far less deep. Others are cut where these cannot be. */
  val MostHeld: Int = 400
}
