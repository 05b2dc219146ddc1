package io.colocate.adapt.change

import scala.annotation.tailrec

import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.{Cut, Leaf, Node, Parted, Split}

/**
 * Builds a subtree for queries: at each node the cut, of all that its queries suggest, that lets them skip
 * the most rows (the greedy of Yang et al., Qd-tree, SIGMOD 2020). Where none lets any query skip a row,
 * the rows are cut at medians, columns that queries filter by more often than others, until there are as
 * many leaves as before.
 *
 * A side has at least half of the rows of a leaf in the mean, so that files do not get small.
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
  def apply(
      rows: IndexedSeq[Int],
      path: CutPath,
      queries: IndexedSeq[Asked],
      leaves: Int): Node = {
    val least = (rows.length / (2.0 * leaves)).max(1.0)
    val cuts = queries.flatMap(_.cuts).distinct
      .filter(cut => weights.contains(cut.column) && sample.columns.exists(_.name == cut.column))
      .sortBy(order)
    grow(rows, path, queries, cuts, leaves, least)
  }

  private def grow(
      rows: IndexedSeq[Int],
      path: CutPath,
      queries: IndexedSeq[Asked],
      cuts: IndexedSeq[Cut],
      leaves: Int,
      least: Double): Node =
    if (leaves <= 1 || rows.length < 2 * least) Leaf(Leaf.NoId)
    else
      best(rows, path, queries, cuts, least) match {
        case Some(parted) =>
          def side(some: IndexedSeq[Int], below: CutPath, share: Int) =
            grow(some, below, queries.filter(_.reads(below)), cuts, share, least)
          val share = leftShare(parted, leaves)
          Split(parted.cut, side(parted.left, path.left(parted.cut), share),
            side(parted.right, path.right(parted.cut), leaves - share))
        case None => filled(rows, Nil, shares(queries), leaves)
      }

  /** The cut that skips most, the first of several in the order of [[order]]. */
  private def best(
      rows: IndexedSeq[Int],
      path: CutPath,
      queries: IndexedSeq[Asked],
      cuts: IndexedSeq[Cut],
      fewest: Double): Option[Parted] = {
    // A query that does not filter by the column reads both sides.
    val concerned = cuts.map(cut => schema.fieldIndex(cut.column)).distinct
      .map(column => column -> queries.filter(_.columns.contains(column))).toMap
    val numbers = SampleRanks.numbers(rows)
    val none = (0L, Option.empty[Cut])
    val (_, found) = cuts.foldLeft(none) { case (best @ (most, _), cut) =>
      val asked = concerned(schema.fieldIndex(cut.column))
      // Of the rows of both sides a query that comes here reads those of one.
      if (asked.length.toLong * numbers.length <= most) best
      else {
        val sides = sized(numbers, cut)
        val least = sides.left.min(sides.right)
        if (least < fewest || asked.length * (numbers.length - least).toLong <= most) best
        else {
          val skips = skipped(sides, path, asked)
          if (skips > most) (skips, Some(sides.cut)) else best
        }
      }
    }
    found.map(ranks.parted(rows, _))
  }

  private def skipped(sides: Sides, path: CutPath, queries: IndexedSeq[Asked]): Long = {
    val (below, above) = (path.left(sides.cut), path.right(sides.cut))
    val column = schema.fieldIndex(sides.cut.column)
    queries.iterator.map { query =>
      (if (query.readsBy(column, below)) 0L else sides.left.toLong) +
        (if (query.readsBy(column, above)) 0L else sides.right.toLong)
    }.sum
  }

  /** NULL goes to the side with fewer rows. */
  private def sized(rows: Array[Int], cut: Cut): Sides = {
    val (left, nulls) = ranks.of(cut).counted(rows, cut)
    val right = rows.length - left
    if (left >= right) Sides(cut, left, right)
    else Sides(cut.copy(nullsLeft = true), left + nulls, right - nulls)
  }

  /** How much each column counts below: those that the queries filter by count more. */
  private def shares(queries: IndexedSeq[Asked]): Map[String, Double] = weights.map {
    case (name, weight) =>
      val column = schema.fieldIndex(name)
      val share = queries.count(_.columns.contains(column)).toDouble / queries.length.max(1)
      name -> weight * (1 + Favoured * share)
  }

  /** Cuts at medians, each time of the column that has been cut least for its weight. */
  private def filled(
      rows: IndexedSeq[Int],
      path: List[String],
      shares: Map[String, Double],
      leaves: Int): Node =
    if (leaves <= 1) Leaf(Leaf.NoId)
    else {
      val columns = sample.columns.map(_.name).filter(shares.contains)
        .sortBy(name => (path.count(_ == name) + 1) / shares(name))
      median(rows, columns.toList).fold[Node](Leaf(Leaf.NoId)) { parted =>
        val below = parted.cut.column :: path
        val left = leftShare(parted, leaves)
        Split(parted.cut, filled(parted.left, below, shares, left),
          filled(parted.right, below, shares, leaves - left))
      }
    }

  /** How many of two or more leaves are left of a cut. */
  private def leftShare(parted: Parted, leaves: Int): Int = {
    val all = parted.left.length + parted.right.length
    math.round(leaves.toDouble * parted.left.length / all).toInt.max(1).min(leaves - 1)
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

  /** So that the same queries always give the same tree. */
  private def order(cut: Cut): (Int, String, Boolean) =
    (schema.fieldIndex(cut.column), cut.toString, cut.inclusive)
}

object WorkloadTree {

  /** A cut, and how many rows are on its sides. */
  private case class Sides(cut: Cut, left: Int, right: Int)

  /** How much more a column counts that every query filters by than one that none does. */
  private val Favoured = 16

  private val LeastBalance = 0.2
}
