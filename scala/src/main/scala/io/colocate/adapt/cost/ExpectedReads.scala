package io.colocate.adapt.cost

import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.{Leaf, Node, Split}

/**
 * What queries would read of a subtree that is not written yet.
 *
 * @param share how many rows of the table a row of the sample stands for
 */
final class ExpectedReads(ranks: SampleRanks, share: Double) {

  /**
   * The rows that each of some queries would read.
   *
   * @param node the subtree
   * @param rows the sample's rows in it, by their numbers
   * @param path the cuts above it
   */
  def apply(node: Node, rows: IndexedSeq[Int], path: CutPath, queries: Seq[Asked]): Double =
    node match {
      case _ if rows.isEmpty || queries.isEmpty => 0.0
      case Leaf(_) =>
        val expected = new ExpectedRows(ranks, rows, path)
        queries.count(_.reads(expected)) * rows.length * share
      case Split(cut, left, right) =>
        val parted = ranks.parted(rows, cut)
        val (below, above) = (path.left(cut), path.right(cut))
        apply(left, parted.left, below, queries.filter(_.reads(below))) +
          apply(right, parted.right, above, queries.filter(_.reads(above)))
    }

  /** How many of the sample's rows pass the filters of each query, over all queries. */
  def matching(rows: IndexedSeq[Int], queries: Seq[Asked]): Double = {
    val numbers = SampleRanks.numbers(rows)
    val passing = queries.iterator.map { query =>
      val passed = ranks.passing(query)
      numbers.count(passed(_)).toLong
    }
    passing.sum * share
  }
}
