package io.colocate.layout.tree

import scala.collection.mutable

/**
 * Cuts the leaf with the most rows until there are as many leaves as wanted.
 *
 * Which column, [[Savings]] says; but a cut that leaves less than a fifth of the rows on one side is
 * no cut. On TPC-H's lineitem this gives leaves of 13 to 34 thousand rows where the published order
 * gives 89 to 122543 (256 leaves, scale factor 1).
 *
 * @param fewest rows that a leaf should hold; one with fewer than twice as many is not cut
 * @param round  true to cut at round values where there are some between the quartiles
 */
final class SizeDrivenBuilder(fewest: Int = 1, round: Boolean = false) extends TreeBuilder {

  override def build(request: TreeRequest): Node = {
    import request._
    val root = new Growing(sample.rows.indices, Nil)
    grow(sample, Seq(root), weights, leaves)
    root.finish()
  }

  /**
   * Cuts these leaves on until there are `leaves` of them.
   *
   * @return the leaves there are then
   */
  private[tree] def grow(
      sample: Sample,
      from: Seq[Growing],
      weights: Map[String, Double],
      leaves: Int): Seq[Growing] = {
    val savings = new Savings(sample, weights, from, leaves)
    val serial = Iterator.from(0)
    // Of equally heavy leaves the one that was made first, so that a seed gives one tree.
    val heaviest = Ordering.by[(Growing, Int), (Int, Int)] { case (leaf, number) =>
      (leaf.rows.length, -number)
    }
    val open = mutable.PriorityQueue(from.map((_, serial.next())): _*)(heaviest)
    val closed = mutable.ArrayBuffer.empty[Growing]
    while (open.nonEmpty && open.length + closed.length < leaves) {
      val (leaf, _) = open.dequeue()
      val found = if (leaf.rows.length < 2 * fewest) None else bestCut(sample, savings, leaf)
      found match {
        case Some(parted) =>
          savings.take(leaf, parted.cut.column)
          val (left, right) = leaf.split(parted)
          open += ((left, serial.next())) += ((right, serial.next()))
        case None => closed += leaf
      }
    }
    closed.toSeq ++ open.map(_._1)
  }

  private def bestCut(sample: Sample, savings: Savings, leaf: Growing): Option[Parted] =
    savings.order(leaf).iterator
      .flatMap(cut(sample, leaf.rows, _)).find(_.balance >= SizeDrivenBuilder.LeastBalance)

  private def cut(sample: Sample, rows: IndexedSeq[Int], column: String): Option[Parted] =
    Option.when(round)(sample.roundCut(rows, column)).flatten
      .orElse(sample.cuts(rows, column).maxByOption(_.balance))
}

object SizeDrivenBuilder {

  /** The smallest share of the rows that a cut may leave on one side. */
  val LeastBalance: Double = 0.2
}
