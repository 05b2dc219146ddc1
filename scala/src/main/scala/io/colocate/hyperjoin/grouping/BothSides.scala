package io.colocate.hyperjoin.grouping

/**
 * The blocks of both sides of a join.
 *
 * @param groupedBytes bytes in memory of each block of the grouped side
 * @param probedBytes  the same for the probed side
 */
final private[grouping] class BothSides(
    groupedBytes: Array[Long],
    probedBytes: Array[Long],
    overlaps: Overlaps) {

  def grouped(group: HyperGroup): Long = group.grouped.iterator.map(groupedBytes).sum
  def probed(group: HyperGroup): Long = group.probed.iterator.map(probedBytes).sum
  def total(group: HyperGroup): Long = grouped(group) + probed(group)

  /** The smallest groups that share no block of either side. */
  def apart: IndexedSeq[HyperGroup] = apart(HyperGroup(groupedBytes.indices, probedBytes.indices))

  /** Splits a group into the smallest groups that share no block: no block is read more often. */
  def apart(group: HyperGroup): IndexedSeq[HyperGroup] = {
    val count = group.grouped.length
    val numbers = group.probed.zip(Iterator.from(count)).toMap
    val sharing = new Components(count + numbers.size)
    for ((block, i) <- group.grouped.zipWithIndex; probe <- overlaps.probed(block))
      sharing.join(i, numbers(probe))
    sharing.all.map { members =>
      val (own, other) = members.partition(_ < count)
      HyperGroup(own.map(group.grouped), other.map(i => group.probed(i - count)))
    }
  }

  /** Groups of some blocks, within a budget, that read least. */
  def readingLeast(blocks: IndexedSeq[Int], budget: Long): IndexedSeq[HyperGroup] = {
    val found = SortedGrouping.group(new GroupingProblem(blocks.map(groupedBytes).toArray,
      probedBytes, overlaps.merged(blocks.map(IndexedSeq(_))), budget))
    found.groups.zip(found.probed).map { case (members, reads) =>
      HyperGroup(members.toIndexedSeq.map(blocks), reads.toIndexedSeq)
    }
  }
}
