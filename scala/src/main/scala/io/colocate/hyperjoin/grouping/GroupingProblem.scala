package io.colocate.hyperjoin.grouping

/**
 * Blocks to be put into groups, each of which is held in memory while it is joined.
 *
 * A group reads each probed block that overlaps one of its blocks, once. The aim is the groups that read
 * least in total, for any number of groups (minimal partitioning: Lu et al., AdaptDB, PVLDB 10(5), 2017,
 * where the number is given). The arrays must not be changed.
 *
 * @param weights    bytes in memory of each block to be grouped
 * @param probeBytes bytes to be read of each probed block
 * @param budget     most bytes of a group; a larger block is a group of its own
 */
final class GroupingProblem(
    val weights: Array[Long],
    val probeBytes: Array[Long],
    val overlaps: Overlaps,
    val budget: Long) {
  require(budget > 0, s"budget is $budget; accepted: above 0")
  require(weights.length == overlaps.probed.length,
    s"${weights.length} weights for ${overlaps.probed.length} blocks")

  def blocks: Int = weights.length

  /** The probed blocks that overlap a block. */
  def probed(block: Int): Array[Int] = overlaps.probed(block)

  /** For each probed block, ascending, the blocks that it overlaps. */
  lazy val overlapping: Array[Array[Int]] = {
    val found = Array.fill(probeBytes.length)(Array.newBuilder[Int])
    for (block <- weights.indices; probe <- probed(block)) found(probe) += block
    found.map(_.result())
  }

  /** The bytes that a block reads in a group of its own. */
  def readsAlone(block: Int): Long = bytes(probed(block))

  private[hyperjoin] def bytes(probes: Array[Int]): Long = {
    var sum = 0L
    for (probe <- probes) sum += probeBytes(probe)
    sum
  }
}

/** A way of grouping blocks. */
trait GroupingAlgorithm {
  def group(problem: GroupingProblem): Grouping
}
