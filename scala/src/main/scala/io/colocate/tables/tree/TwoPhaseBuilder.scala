package io.colocate.tables.tree

/**
 * A tree whose upper levels cut the columns that the table is joined by, and whose lower levels cut
 * the rest (Lu et al., AdaptDB, PVLDB 10(5), 2017): blocks then hold narrow ranges of the join key and
 * still help predicates on other columns. The key is cut at round values, so that tables which are
 * joined by it have many cuts in common though each was written by itself.
 *
 * @param joinKey columns of the upper levels
 * @param levels  how many they are; none for half of the tree's depth, rounded up, or more where
 *                ranges of the key would hold above two million rows, or where the rest cannot be
 *                cut as often
 * @param rows    of the table
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
    // Where the other columns give no more cuts, files would stay larger than was asked for.
    if (levels.isEmpty) lower.grow(sample, cut, keys, leaves)
    root.finish()
  }

  private def ranges: Int = math.ceil(rows / RangeRows).toInt.max(1)

  /** Levels of a tree with so many leaves. */
  private def levelsFor(leaves: Int): Int = 32 - Integer.numberOfLeadingZeros(leaves - 1)
}

object TwoPhaseBuilder {

  /** A task sorts or hashes the rows of one range; half of the levels would let it grow with the table. */
  private val RangeRows = 2e6
}
