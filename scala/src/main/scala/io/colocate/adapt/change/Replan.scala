package io.colocate.adapt.change

import io.colocate.adapt.cost.{CutPath, ExpectedReads, PresentReads, SampleRanks}
import io.colocate.adapt.ledger.Price
import io.colocate.adapt.window.Window
import io.colocate.tables.tree.{Leaf, Node, RobustTree, Split}

/**
 * A subtree to be rewritten.
 *
 * @param at    the node of the tree as it is
 * @param by    the subtree in its place
 * @param rows  the rows below it
 * @param saved the rows that the queries since it was written would not have read, the least of what
 *              plans that know these queries and plans that do not would have saved; a row of which a
 *              query reads some columns counts less
 * @param fewer the rows that it would not have read, by the plan that knows these queries
 * @param price what it costs to rewrite them, in rows read
 */
final case class Choice(
    at: Node,
    by: Node,
    rows: Long,
    saved: Double,
    fewer: Double,
    price: Double) {

  /** What is gained when the rewriting has been paid for, in rows read. */
  def net: Double = saved - price
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
 * @param most    the most rows to rewrite
 * @param fixed   the columns of the join key
 * @param leaves  how many leaves there should be below a node, by its rows: by the leaves that it has they
 *                would get fewer each time
 * @param holdout false to believe plans that know their queries, which only a comparison needs
 */
final class Replan(
    tree: RobustTree,
    window: Window,
    present: PresentReads,
    ranks: SampleRanks,
    weights: Map[String, Double],
    price: Price,
    most: Long,
    fixed: Set[String],
    leaves: Node => Int,
    holdout: Boolean = true) {

  import ranks.{sample, schema}

  private val build = new WorkloadTree(ranks, weights)

  /** The subtrees to rewrite, none below another one. */
  def choices: Seq[Choice] = {
    val all = best(tree.root, sample.rows.indices, CutPath.root(schema)).chosen
    // The best use of what may be rewritten, the leftmost of equal ones.
    val sorted = all.sortBy(choice => -choice.net / choice.price.max(1.0))
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

  /** After how many such queries the first rewrite would pay; None if none ever would. */
  def queriesToPay: Option[Int] = Option.when(longest < Int.MaxValue)(longest)
  private var longest = Int.MaxValue

  private case class Best(chosen: Seq[Choice]) {
    val net: Double = chosen.iterator.map(_.net).sum
    def and(other: Best): Best = Best(chosen ++ other.chosen)
  }

  private def best(node: Node, rows: IndexedSeq[Int], path: CutPath): Best = node match {
    case Leaf(_) => Best(Nil)
    case Split(cut, left, right) =>
      val parted = ranks.parted(rows, cut)
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
    if (rows.length < 2 || leaves(node) < 2 || there > most ||
      node.cuts.exists(cut => fixed(cut.column))) None
    else {
      val fresh = window.after(present.written(node))
      val part = new Subtree(node, rows, path, there, fresh)
      if (part.mostSaved <= part.price + atLeast) None
      else part.choice.filter(_.net > atLeast)
    }
  }

  /**
   * A node that may be built anew.
   *
   * @param rows  the sample's rows below it; `there` are how many of the table
   * @param fresh the queries that ran since it was written, by their numbers
   */
  final private class Subtree(
      node: Node,
      rows: IndexedSeq[Int],
      path: CutPath,
      there: Long,
      fresh: IndexedSeq[Int]) {

    private val expected = new ExpectedReads(ranks, there.toDouble / rows.length)
    private val now: Map[Int, Long] = fresh.iterator.map { number =>
      number -> present.read(window.queries(number), node)
    }.toMap

    val price: Double = Replan.this.price.of(node.leaves.map(_.id), there)

    /** No tree saves more: what passes the filters has to be read. */
    def mostSaved: Double = {
      val read = fresh.iterator.map(number => window.queries(number).weight * now(number)).sum
      if (read <= price) read else read - expected.matching(rows, fresh.map(window.queries))
    }

    def choice: Option[Choice] = {
      val by = built(fresh)
      val known = saves(by, fresh)
      if (known > 0) longest = longest.min((fresh.length * price / known).ceil.toInt)
      if (known <= price) None
      else {
        val held = if (holdout) heldOut else known
        if (held <= price) notRepeated = true
        Some(Choice(node, by, there, known.min(held), fewer(by), price))
      }
    }

    private def heldOut: Double = {
      val (one, other) = Window.halves(window.queries, fresh)
      if (one.isEmpty || other.isEmpty) 0.0
      else saves(built(one), other) + saves(built(other), one)
    }

    private def built(by: IndexedSeq[Int]): Node =
      build(rows, path, by.map(window.queries), leaves(node))

    private def saves(by: Node, of: IndexedSeq[Int]): Double =
      of.iterator.map(number => window.queries(number).weight * now(number)).sum -
        expected(by, rows, path, of.map(window.queries))

    private def fewer(by: Node): Double =
      now.values.sum - expected.rows(by, rows, path, fresh.map(window.queries))
  }
}
