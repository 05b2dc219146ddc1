package io.colocate.adapt.change

import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.{Asked, Window}
import io.colocate.tables.tree.{Cut, Leaf, Node, Split}

/**
 * A tree that was planned.
 *
 * @param cost    what writing its new leaves costs, in rows read
 * @param benefit the rows that the window's queries read less, by the cuts alone
 */
final case class Planned(node: Node, cost: Double, benefit: Double) {

  /** Gains that cost nothing first, then those with the most benefit for their cost. */
  def worth: Double =
    if (benefit <= 0) 0.0 else if (cost == 0) Double.PositiveInfinity else benefit / cost
}

/**
 * The published planner ("Robust Repartitioning", divide and conquer): inserts the cuts of the newest
 * query into the tree, by swap, pushup and rotate. Each subtree is planned for itself, and of all ways to
 * combine them at a node the one with the most benefit for its cost is taken: O(QN log N) for N nodes and
 * Q queries.
 *
 * It differs from [[Replan]], which is the default, in three things. It tries the cuts of one query, not
 * of all; it judges a plan by the queries that it was made from; and it looks at cuts alone, where files
 * are skipped by their own statistics too. So it writes more, and queries that do not come again look to
 * it like gain.
 *
 * @param price what it costs to write a row, in rows read
 * @param least what a plan has to gain for each row that is written, so that it is carried out
 * @param rows  how many rows of the table a row of the sample stands for
 * @param mayCut the columns that may be cut; nodes that cut others are left alone
 */
final class PublishedPlanner(
    ranks: SampleRanks,
    price: Double,
    rows: Double,
    mayCut: Set[String],
    least: Option[Double] = None) {

  import ranks.{sample, schema}

  /** The best tree for the newest query of a window; it is the same one if nothing is worth its cost. */
  def apply(root: Node, window: Window): Planned = {
    val none = Planned(root, 0, 0)
    window.queries.lastOption.fold(none) { query =>
      val found = greedy(none, query.cuts.filter(cut => mayCut(cut.column)), query, window.queries)
      if (least.forall(_ * found.cost / price <= found.benefit)) found else none
    }
  }

  /** Several predicates: the best one first, then the others into what that gave, until nothing changes. */
  private def greedy(
      from: Planned,
      cuts: Seq[Cut],
      query: Asked,
      window: IndexedSeq[Asked]): Planned = {
    val found = cuts.map(cut =>
      cut -> plan(from.node, sample.rows.indices, CutPath.root(schema), cut, query, window))
      .filter { case (_, planned) => planned.benefit > planned.cost && planned.node != from.node }
    found.maxByOption(_._2.worth) match {
      case None => from
      case Some((taken, best)) =>
        val all = Planned(best.node, from.cost + best.cost, from.benefit + best.benefit)
        greedy(all, cuts.filterNot(_ == taken), query, window)
    }
  }

  private def plan(
      node: Node,
      below: IndexedSeq[Int],
      path: CutPath,
      cut: Cut,
      query: Asked,
      window: IndexedSeq[Asked]): Planned = node match {
    case Leaf(_) => Planned(node, 0, 0)
    case Split(own, _, _) if Transformations.sameCut(own, cut) => Planned(node, 0, 0)
    case here @ Split(own, left, right) =>
      val parted = ranks.parted(below, own)
      val (before, after) = (path.left(own), path.right(own))
      val one = plan(left, parted.left, before, cut, query, window.filter(_.reads(before)))
      val two = plan(right, parted.right, after, cut, query, window.filter(_.reads(after)))
      val none =
        Planned(Split(own, one.node, two.node), one.cost + two.cost, one.benefit + two.benefit)
      // What moves no row is done wherever it can be.
      val ways = moved(none, cut) ++ Seq(none) ++ swapped(here, below, path, cut, query, window)
      ways.maxBy(_.worth)
  }

  /** A node is cut anew only if the query reads all of it anyway, and the path leaves both sides values. */
  private def swapped(
      node: Split,
      below: IndexedSeq[Int],
      path: CutPath,
      cut: Cut,
      query: Asked,
      window: IndexedSeq[Asked]): Option[Planned] =
    if (!mayCut(node.cut.column) || !isWithin(path, cut) || !readsAll(node, path, query)) None
    else {
      val by = Transformations.swap(node, cut)
      val gained = read(node, below, path, window) - read(by, below, path, window)
      Some(Planned(by, price * written(by, node, below), gained))
    }

  /** What a plan of both sides allows without moving a row. */
  private def moved(plan: Planned, cut: Cut): Seq[Planned] = plan.node match {
    case node: Split =>
      val tops = Seq(node.left, node.right)
        .collect { case Split(own, _, _) => Transformations.sameCut(own, cut) }
      val up = if (tops == Seq(true, true)) Transformations.pushup(node) else None
      val turned =
        if (up.isEmpty && tops.contains(true)) Transformations.rotate(node) else None
      (up ++ turned).map(moved => plan.copy(node = moved)).toSeq
    case _ => Nil
  }

  private def readsAll(node: Node, path: CutPath, query: Asked): Boolean = node match {
    case Leaf(_) => query.reads(path)
    case Split(cut, left, right) =>
      readsAll(left, path.left(cut), query) && readsAll(right, path.right(cut), query)
  }

  private def isWithin(path: CutPath, cut: Cut): Boolean = {
    val column = schema.fieldIndex(cut.column)
    Seq(path.left(cut), path.right(cut)).forall(_.bounds(column).mayBeValue)
  }

  /** The rows that queries read, by the cuts alone. */
  private def read(
      node: Node,
      below: IndexedSeq[Int],
      path: CutPath,
      queries: IndexedSeq[Asked]): Double = node match {
    case Leaf(_) => queries.count(_.reads(path)) * below.length * rows
    case Split(cut, left, right) =>
      val parted = ranks.parted(below, cut)
      val (before, after) = (path.left(cut), path.right(cut))
      read(left, parted.left, before, queries.filter(_.reads(before))) +
        read(right, parted.right, after, queries.filter(_.reads(after)))
  }

  /** The rows of the leaves that the change takes away, which have to be written somewhere. */
  private def written(by: Node, from: Node, below: IndexedSeq[Int]): Double = {
    val kept = by.leaves.map(_.id).toSet
    def gone(node: Node, some: IndexedSeq[Int]): Int = node match {
      case Leaf(id) => if (kept(id)) 0 else some.length
      case Split(cut, left, right) =>
        val parted = ranks.parted(some, cut)
        gone(left, parted.left) + gone(right, parted.right)
    }
    gone(from, below) * rows
  }
}

object PublishedPlanner {

  /** How many of the newest queries it judges by, which does not grow with the price. */
  val Window: Int = 20
}
