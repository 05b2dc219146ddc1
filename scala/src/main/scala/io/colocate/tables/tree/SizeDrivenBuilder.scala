package io.colocate.tables.tree

import scala.collection.mutable

/**
 * Cuts the leaf with the most rows until there are as many leaves as wanted.
 *
 * [[Savings]] chooses the column; a cut that leaves less than a fifth of the rows on one side is not
 * made. On TPC-H's lineitem this gives leaves of 13 to 34 thousand rows where the published order gives
 * 89 to 122543 (256 leaves, scale factor 1).
 *
 * @param fewest the fewest rows that a leaf should hold; a leaf with fewer than twice as many is not cut
 * @param round  true to cut at round values if there are any between the quartiles, and to cut the
 *               leftmost of about equally large leaves first: another sample then gives the same tree
 */
final class SizeDrivenBuilder(fewest: Int = 1, round: Boolean = false) extends TreeBuilder {

  override def build(request: TreeRequest): Node = {
    import request._
    val root = new Growing(sample.rows.indices)
    grow(sample, Seq(root), weights, leaves)
    root.finish()
  }

  /**
   * Continues to cut these leaves until there are `leaves` of them.
   *
   * @return the leaves in the end
   */
  private[tree] def grow(
      sample: Sample,
      from: Seq[Growing],
      weights: Map[String, Double],
      leaves: Int): Seq[Growing] = {
    val savings = new Savings(sample, weights, from, leaves)
    // The leftmost of equally heavy leaves, so that a seed always gives the same tree.
    val heaviest =
      Ordering.by(weight(sample, _: Growing)).orElse(Ordering.by((_: Growing).place).reverse)
    val open = mutable.PriorityQueue.from(from)(heaviest)
    val closed = mutable.ArrayBuffer.empty[Growing]
    while (open.nonEmpty && open.length + closed.length < leaves) {
      val leaf = open.dequeue()
      val found = if (leaf.rows.length < 2 * fewest) None else bestCut(sample, savings, leaf)
      found match {
        case Some(parted) =>
          savings.take(leaf, parted.cut.column)
          val (left, right) = leaf.split(parted)
          open += left += right
        case None => closed += leaf
      }
    }
    closed.toSeq ++ open
  }

  /**
   * The rows of a leaf; for round cuts their order of magnitude, to the base of the square root of two,
   * so that about equally large leaves weigh the same in every sample.
   */
  private def weight(sample: Sample, leaf: Growing): Long = {
    val rows = leaf.rows.length
    if (round) (2 * math.log(rows.toDouble / sample.rows.length) / math.log(2)).round else rows
  }

  private def bestCut(sample: Sample, savings: Savings, leaf: Growing): Option[Parted] =
    savings.order(leaf).iterator
      .flatMap(cut(sample, leaf.rows, _)).find(_.balance >= SizeDrivenBuilder.LeastBalance)

  private def cut(sample: Sample, rows: IndexedSeq[Int], column: String): Option[Parted] =
    (if (round) sample.roundCut(rows, column) else None)
      .orElse(sample.cuts(rows, column).maxByOption(_.balance))
}

object SizeDrivenBuilder {

  /** The smallest share of the rows that a cut may leave on one side. */
  val LeastBalance: Double = 0.2
}
