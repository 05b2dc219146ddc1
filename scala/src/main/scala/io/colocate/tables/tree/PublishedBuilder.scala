package io.colocate.tables.tree

import scala.collection.mutable

/**
 * The construction of Amoeba (Shanbhag et al., SoCC 2017, section 3.2): breadth first, every node of
 * one level before the next, until the tree is log2(leaves) deep.
 *
 * {{{
 *   queue <- root
 *   while a node is taken from the queue, at depth d < log2(leaves)
 *     for the columns, most remaining allocation first
 *       cut at the median, if rows lie on both sides
 *       remaining allocation of the column -= 2 / 2^d
 *       queue <- left child, right child
 * }}}
 *
 * It halves rows by count only if values are distinct: a column of few values gives leaves of very
 * different sizes. [[SizeDrivenBuilder]] is the default for that reason.
 */
object PublishedBuilder extends TreeBuilder {

  override def build(request: TreeRequest): Node = {
    import request._
    val deepest = 31 - Integer.numberOfLeadingZeros(leaves)
    val remaining = new Remaining(sample, Allocation.budget(weights, leaves))
    val root = new Growing(sample.rows.indices)
    val queue = mutable.Queue(root)
    while (queue.nonEmpty) {
      val node = queue.dequeue()
      val depth = node.path.length
      if (depth < deepest) {
        val found = remaining.order(node.path).iterator
          .flatMap(sample.cuts(node.rows, _).headOption).nextOption()
        found.foreach { parted =>
          remaining.take(parted.cut.column, math.pow(2, -depth))
          val (left, right) = node.split(parted)
          queue += left += right
        }
      }
    }
    root.finish()
  }
}
