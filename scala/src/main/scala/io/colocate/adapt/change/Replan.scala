package io.colocate.adapt.change

import io.colocate.adapt.cost.{CutPath, ExpectedReads, PresentReads, SampleRanks}
import io.colocate.adapt.window.Window
import io.colocate.tables.tree.{Leaf, Node, RobustTree, Split}

/**
 * A subtree to be rewritten.
 *
 * @param at    the node of the tree as it is
 * @param by    the subtree in its place
 * @param rows  the rows below it
 * @param saved the rows that the queries since it was written would not have read
 * @param held  how many of them a plan that did not know the query would have saved
 */
final case class Choice(at: Node, by: Node, rows: Long, saved: Double, held: Double) {

  /** What is gained when the rewriting has been paid for, in rows read. */
  def net(price: Double): Double = saved.min(held) - price * rows
}

/**
 * Decides which subtrees of a tree to build anew for the queries of a window.
 *
 * {{{
 *            a < 10                        a < 10
 *           /      \                      /      \
 *        b < 5    c < 7        =>      b < 5    d <= 3      the right half, which queries by d read
 *        /  \      /  \                /  \      /  \       whole, is written anew
 * }}}
 *
 * A subtree is worth it if the queries that ran since its rows were last written would have saved more
 * reads than the rewriting costs: not only those that the plan was made from, but also, with a plan made
 * from one half of them, those of the other half. Otherwise any queries, even random ones, would pay for
 * a rewriting again and again. As a query saves at most what it reads, rewriting costs never more than
 * what was read.
 *
 * Levels that cut the join key stay, with all that joins build on them.
 *
 * @param price  what it costs to rewrite a row, in rows read
 * @param most   the most rows to rewrite
 * @param fixed  the columns of the join key
 * @param leaves how many leaves there should be below a node
 */
final class Replan(
    tree: RobustTree,
    window: Window,
    present: PresentReads,
    ranks: SampleRanks,
    weights: Map[String, Double],
    price: Double,
    most: Long,
    fixed: Set[String],
    leaves: Node => Int) {

  import ranks.{sample, schema}

  private val build = new WorkloadTree(ranks, weights)

  /** The subtrees to rewrite, none below another one. */
  def choices: Seq[Choice] = {
    val all = best(tree.root, sample.rows.indices, CutPath.root(schema)).chosen
    // The best use of what may be rewritten, the leftmost of equal ones.
    val sorted = all.sortBy(choice => -choice.net(price) / choice.rows.max(1L))
    sorted.foldLeft((Seq.empty[Choice], 0L)) { case ((taken, rows), choice) =>
      if (rows + choice.rows <= most) (taken :+ choice, rows + choice.rows) else (taken, rows)
    }._1
  }

  /** The tree with subtrees in place of the nodes that they were chosen for. */
  def changed(choices: Seq[Choice]): Node = {
    def visit(node: Node): Node = choices.find(_.at eq node) match {
      case Some(choice) => choice.by
      case None =>
        node match {
          case Split(cut, left, right) => Split(cut, visit(left), visit(right))
          case leaf => leaf
        }
    }
    visit(tree.root)
  }

  /** True if plans that know their queries save enough, and those that do not know them too little. */
  def isNotRepeated: Boolean = notRepeated
  private var notRepeated = false

  private case class Best(chosen: Seq[Choice]) {
    val net: Double = chosen.iterator.map(_.net(price)).sum
    def and(other: Best): Best = Best(chosen ++ other.chosen)
  }

  private def best(node: Node, rows: IndexedSeq[Int], path: CutPath): Best = node match {
    case Leaf(_) => Best(Nil)
    case Split(cut, left, right) =>
      val parted = sample.parted(rows, cut)
      val below = best(left, parted.left, path.left(cut)) and
        best(right, parted.right, path.right(cut))
      candidate(node, rows, path, below.net).fold(below)(choice => Best(Seq(choice)))
  }

  /** The node built anew, if that gains more than what is chosen below it. */
  private def candidate(
      node: Node,
      rows: IndexedSeq[Int],
      path: CutPath,
      atLeast: Double): Option[Choice] = {
    val there = present.rows(node)
    val fresh = window.after(present.written(node))
    val now = fresh.iterator.map(present.read(_, node)).sum.toDouble
    val cost = price * there
    val worth = rows.length >= 2 && there > 0 && there <= most && now - cost > atLeast.max(0.0) &&
      !node.cuts.exists(cut => fixed(cut.column))
    if (!worth) None
    else {
      val expected = new ExpectedReads(ranks, there.toDouble / rows.length)
      val queries = fresh.map(window.queries)
      if (now - expected.matching(rows, queries) - cost <= atLeast.max(0.0)) None
      else chosen(node, rows, path, fresh, expected).filter(_.net(price) > atLeast.max(0.0))
    }
  }

  private def chosen(
      node: Node,
      rows: IndexedSeq[Int],
      path: CutPath,
      fresh: IndexedSeq[Int],
      expected: ExpectedReads): Option[Choice] = {
    def built(by: IndexedSeq[Int]): Node =
      build(rows, path, by.map(window.queries), leaves(node))
    def saves(by: Node, of: IndexedSeq[Int]): Double = {
      val now = of.iterator.map(present.read(_, node)).sum
      now - expected(by, rows, path, of.map(window.queries))
    }
    val by = built(fresh)
    val saved = saves(by, fresh)
    val there = present.rows(node)
    if (saved - price * there <= 0) None
    else {
      val (one, other) = Window.halves(window.queries, fresh)
      val held =
        if (one.isEmpty || other.isEmpty) 0.0
        else saves(built(one), other) + saves(built(other), one)
      if (held - price * there <= 0) notRepeated = true
      Some(Choice(node, by, there, saved, held))
    }
  }
}
