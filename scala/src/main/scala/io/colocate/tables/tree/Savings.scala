package io.colocate.tables.tree

import scala.collection.mutable

/**
 * Estimates how much filters on each column skip while a tree grows, and so which column to cut next.
 *
 * A filter that selects few values of a column reads the rows of a leaf in proportion to the leaf's
 * share of the column's range, so over all leaves it skips
 * {{{
 *   saved(column) = sum of rows(leaf) * (1 - span(column, leaf)) / rows
 * }}}
 * The next cut is the one that adds most to the sum of `weight * log(even + saved)` over the columns,
 * where `even` is the number of cuts per column on a path through the tree. The logarithm balances: a
 * cut that helps a column without savings is worth more than one that helps a column with many
 * (proportional fairness: Kelly, European Transactions on Telecommunications 8, 1997). A cut of one date
 * counts for all dates and is charged to all of them, so of seven dates one is cut near the root, and
 * the cuts that the others would have had go to unrelated columns.
 *
 * @param weights how often queries filter by each column, relative to the others
 * @param from    the leaves to start with, some of which may be below cuts
 * @param leaves  the number of leaves that are wanted
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

  /** Each of these is compared with each column, which would take minutes for thousands of columns. */
  private val (held, others) =
    candidates.sortBy(-weights(_)).splitAt(Savings.MostHeld) match {
      case (most, rest) => (candidates.filter(most.toSet), rest)
    }

  private val saved = mutable.Map.from(candidates.map { column =>
    column -> from.map(leaf => share(leaf) * (1 - narrowing.span(column, leaf.path))).sum
  })

  /** The columns by what their cut of a leaf adds, the best first; equal ones in the schema's order. */
  def order(leaf: Growing): Seq[String] = {
    val worth = candidates.map { column =>
      column -> weights(column) * narrowing.span(column, leaf.path) / (even + saved(column))
    }.toMap
    held.sortBy { cut =>
      -narrowing.of(cut).iterator.map { case (column, by) => by * worth.getOrElse(column, 0.0) }.sum
    } ++ others
  }

  /** Records that a leaf is cut. */
  def take(leaf: Growing, cut: String): Unit =
    for ((column, by) <- narrowing.of(cut) if saved.contains(column))
      saved(column) += share(leaf) * by * narrowing.span(column, leaf.path)

  private def share(leaf: Growing): Double = if (rows == 0) 0.0 else leaf.rows.length / rows
}

private[tree] object Savings {

  /** The most columns that are compared; a tree is far less deep. Others are cut only if these cannot be. */
  val MostHeld: Int = 400
}
