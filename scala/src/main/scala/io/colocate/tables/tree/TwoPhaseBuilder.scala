package io.colocate.tables.tree

/**
 * A tree whose upper levels cut the columns that the table is joined by, and whose lower levels cut the
 * rest (Lu et al., AdaptDB, PVLDB 10(5), 2017): blocks then hold narrow ranges of the join key and still
 * help predicates on other columns. The key is cut at round values, so that tables which are joined by
 * it have many cuts in common, though each was written separately.
 *
 * @param joinKey columns of the upper levels
 * @param levels  how many levels these are; None for half of the tree's depth, rounded up, or more if
 *                ranges of the key would hold above two million rows, or if the other columns cannot be
 *                cut as often
 * @param rows    the number of rows of the table
 */
final class TwoPhaseBuilder(joinKey: Seq[String], levels: Option[Int], rows: Long)
    extends TreeBuilder {

  import TwoPhaseBuilder._

  private val upper = new SizeDrivenBuilder(round = true)
  private val lower = new SizeDrivenBuilder()

  override def build(request: TreeRequest): Node = {
    import request._
    val depth = levelsFor(leaves)
    val uppermost = levels.getOrElse(((depth + 1) / 2).max(levelsFor(ranges))).min(depth)
    val root = new Growing(sample.rows.indices)
    val keys = joinKey.map(_ -> 1.0).toMap
    val blocks = upper.grow(sample, Seq(root), keys, leaves.min(1 << uppermost))
    val cut = lower.grow(sample, blocks, weights -- joinKey, leaves)
    // If the other columns give no more cuts, files would be larger than requested.
    if (levels.isEmpty) lower.grow(sample, cut, keys, leaves)
    root.finish()
  }

  private def ranges: Int = math.ceil(rows / RangeRows).toInt.max(1)

  /** The number of levels of a tree with so many leaves. */
  private def levelsFor(leaves: Int): Int = 32 - Integer.numberOfLeadingZeros(leaves - 1)
}

object TwoPhaseBuilder {

  /** A task sorts or hashes the rows of one range; with half of the levels it would grow with the table. */
  private val RangeRows = 2e6
}
