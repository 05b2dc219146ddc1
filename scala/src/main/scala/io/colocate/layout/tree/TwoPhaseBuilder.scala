package io.colocate.layout.tree

/**
 * A tree whose upper levels cut the columns that the table is joined by, and whose lower levels cut
 * the rest (Lu et al., AdaptDB, PVLDB 10(5), 2017): blocks then hold narrow ranges of the join key and
 * still help predicates on other columns.
 *
 * @param joinKey columns of the upper levels
 * @param levels  how many they are; none for half of the tree's depth, rounded up, or more where the
 *                rest cannot be cut as often
 */
final class TwoPhaseBuilder(
    joinKey: Seq[String],
    levels: Option[Int],
    lower: SizeDrivenBuilder = new SizeDrivenBuilder())
    extends TreeBuilder {

  override def build(request: TreeRequest): Node = {
    import request._
    val depth = 32 - Integer.numberOfLeadingZeros(leaves - 1)
    val upper = levels.getOrElse((depth + 1) / 2).min(depth)
    val root = new Growing(sample.rows.indices, Nil)
    val keys = joinKey.map(_ -> 1.0).toMap
    val blocks = lower.grow(sample, Seq(root), keys, leaves.min(1 << upper))
    val cut = lower.grow(sample, blocks, weights -- joinKey, leaves)
    // Where the other columns give no more cuts, files would stay larger than was asked for.
    if (levels.isEmpty) lower.grow(sample, cut, keys, leaves)
    root.finish()
  }
}
