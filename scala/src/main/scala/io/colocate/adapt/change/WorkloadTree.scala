package io.colocate.adapt.change

import scala.annotation.tailrec

import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.{Node, Parted}

/**
 * Builds a subtree for queries. Of all its leaves, that one is cut next where a cut, of all that the
 * queries suggest, lets them skip the most rows (the greedy of Yang et al., Qd-tree, SIGMOD 2020, which
 * goes on as long as there are rows to skip; here there are as many leaves as before). Where none lets
 * any query skip a row, the largest leaf is cut at a median, for queries of the same kinds with other
 * constants: by columns that more of these filter by, and with more different constants ([[Variety]]).
 *
 * A leaf has at least half of the rows of one in the mean, so that files do not get small; and some cuts
 * are kept back for the leaves that no query is about, so that none has twice as many.
 *
 * @param weights the columns that may be cut, and how often the table was told that they are filtered by
 */
final class WorkloadTree(ranks: SampleRanks, weights: Map[String, Double]) {

  import WorkloadTree._
  import ranks.{sample, schema}

  /**
   * @param rows   the sample's rows below the node, by their numbers
   * @param path   the cuts above it
   * @param leaves the most leaves
   * @return its leaves have no ids yet
   */
  def apply(rows: IndexedSeq[Int], path: CutPath, queries: IndexedSeq[Asked], leaves: Int): Node = {
    val root = Growing(rows, path, queries)
    val cuts = queries.flatMap(_.cuts).distinct
      .filter(cut => weights.contains(cut.column) && sample.columns.exists(_.name == cut.column))
    grow(Vector(root), new Wanted(rows.length, leaves), new CutGains(ranks, cuts))
    root.node
  }

  @tailrec
  private def grow(open: Vector[Growing], wanted: Wanted, gains: CutGains): Unit =
    if (open.length < wanted.leaves) {
      val spare = wanted.leaves - open.iterator.map(leaf => wanted.of(leaf.rows.length)).sum
      open.foreach(leaf => if (!leaf.isTried) leaf.tried(gains.best(leaf, wanted.fewest)))
      val next = open.filter(_.gain.exists(wanted.more(_) <= spare)).maxByOption(_.skipped)
        .flatMap(leaf => leaf.gain.map(leaf -> _)).orElse(largest(open, wanted.fewest))
      next match {
        case Some((leaf, parted)) =>
          val (left, right) = leaf.split(parted)
          grow(open.patch(open.indexOf(leaf), Seq(left, right), 1), wanted, gains)
        case None =>
      }
    }

  /** The largest leaf that can be cut at a median, and the cut. */
  private def largest(open: Vector[Growing], fewest: Double): Option[(Growing, Parted)] =
    open.filter(_.rows.length >= 2 * fewest).sortBy(-_.rows.length).iterator
      .flatMap(leaf => filled(leaf).map(leaf -> _)).nextOption()

  /** How much each column counts below: more if that helps queries of the same kinds. */
  private def shares(alike: Alike): Map[String, Double] = weights.map { case (name, weight) =>
    name -> weight * (1 + Favoured * alike.share(schema.fieldIndex(name), name))
  }

  /** The cut at a median, of the column that has been cut least for its weight. */
  private def filled(leaf: Growing): Option[Parted] = {
    val shares = this.shares(leaf.alike)
    val columns = sample.columns.map(_.name).filter(shares.contains)
      .sortBy(name => (leaf.cutBy.count(_ == name) + 1) / shares(name))
    median(leaf.rows, columns.toList)
  }

  @tailrec
  private def median(rows: IndexedSeq[Int], columns: List[String]): Option[Parted] = columns match {
    case Nil => None
    case column :: others =>
      sample.cuts(rows, column).maxByOption(_.balance).filter(_.balance >= LeastBalance) match {
        case None => median(rows, others)
        case found => found
      }
  }
}

object WorkloadTree {

  /** How many leaves so many rows of a sample are to have. */
  final private class Wanted(rows: Int, val leaves: Int) {
    private val mean = rows.toDouble / leaves

    val fewest: Double = (mean / 2).max(1.0)

    /** The fewest leaves that some of the rows need, so that none has too many. */
    def of(some: Int): Int = math.ceil(some / (2 * mean)).toInt.max(1)

    /** How many more they need when they are parted. */
    def more(parted: Parted): Int =
      of(parted.left.length) + of(parted.right.length) - of(
        parted.left.length + parted.right.length)
  }

  /** How much more a column counts that every query filters by, each by other constants. */
  private val Favoured = 16

  private val LeastBalance = 0.2
}
