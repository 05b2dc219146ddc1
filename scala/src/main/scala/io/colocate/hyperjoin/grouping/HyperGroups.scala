package io.colocate.hyperjoin.grouping

/** What one task joins: blocks of the grouped side, and those of the probed side they overlap. */
final private[hyperjoin] case class HyperGroup(grouped: IndexedSeq[Int], probed: IndexedSeq[Int])

/** The groups of a join. */
final private[hyperjoin] case class HyperGroups(groups: IndexedSeq[HyperGroup]) {

  def grouped: IndexedSeq[IndexedSeq[Int]] = groups.map(_.grouped)
  def probed: IndexedSeq[IndexedSeq[Int]] = groups.map(_.probed)
}

private[hyperjoin] object HyperGroups {

  /**
   * Groups that read least of the probed side.
   *
   * @param units  blocks of the grouped side that stay together where they fit, so that equal keys do
   * @param bytes  that the blocks of the grouped side take in memory
   * @param probed the same of the probed side
   * @param budget bytes of the grouped side in one group
   * @param idle   true if blocks that overlap nothing are wanted too
   */
  def apply(
      units: IndexedSeq[IndexedSeq[Int]],
      bytes: Array[Long],
      probed: Array[Long],
      overlaps: Overlaps,
      budget: Long,
      idle: Boolean): HyperGroups = {
    val weight = (blocks: IndexedSeq[Int]) => blocks.iterator.map(bytes).sum
    val (whole, large) = units.partition(weight(_) <= budget)
    val parts = whole ++ large.flatten.map(IndexedSeq(_))
    val problem =
      new GroupingProblem(parts.map(weight).toArray, probed, merged(overlaps, parts), budget)
    val found = SortedGrouping.group(problem)
    val groups = found.groups.zip(found.probed).map { case (members, reads) =>
      val blocks = members.toIndexedSeq.flatMap(parts(_))
      HyperGroup(blocks.filter(idle || overlaps.probed(_).nonEmpty), reads.toIndexedSeq)
    }
    // A join of no rows is a task without files.
    val filled = groups.filter(_.grouped.nonEmpty)
    HyperGroups(if (filled.isEmpty) IndexedSeq(Nothing) else filled)
  }

  private val Nothing = HyperGroup(IndexedSeq.empty, IndexedSeq.empty)

  private def merged(overlaps: Overlaps, parts: IndexedSeq[IndexedSeq[Int]]): Overlaps = {
    val place = new Array[Int](overlaps.order.length)
    for ((block, i) <- overlaps.order.zipWithIndex) place(block) = i
    val probed = parts.map(_.toArray.flatMap(overlaps.probed(_)).distinct.sorted)
    new Overlaps(probed.toArray, parts.indices.sortBy(parts(_).map(place).min).toArray)
  }

  /**
   * Groups that share no block of either side: blocks that overlap, be it over others, stay together.
   * Blocks of the probed side that overlap nothing are in groups too.
   */
  def disjoint(
      bytes: Array[Long],
      probed: Array[Long],
      overlaps: Overlaps,
      budget: Long): HyperGroups = {
    val parts = new Components(bytes.length + probed.length)
    for ((reads, block) <- overlaps.probed.zipWithIndex; read <- reads)
      parts.join(block, bytes.length + read)
    val wholes = parts.all.map { members =>
      val (own, other) = members.partition(_ < bytes.length)
      HyperGroup(own, other.map(_ - bytes.length))
    }
    def weight(group: HyperGroup) =
      group.grouped.iterator.map(bytes).sum.max(group.probed.iterator.map(probed).sum)
    HyperGroups(packed(wholes, weight, budget))
  }

  /** Puts neighbours together while they fit. */
  private def packed(
      groups: IndexedSeq[HyperGroup],
      weight: HyperGroup => Long,
      budget: Long): IndexedSeq[HyperGroup] = {
    val found = IndexedSeq.newBuilder[HyperGroup]
    var open = Nothing
    for (group <- groups) {
      val both = HyperGroup(open.grouped ++ group.grouped, open.probed ++ group.probed)
      if (weight(both) <= budget) open = both
      else {
        if (weight(open) > 0) found += open
        open = group
      }
    }
    (found += open).result()
  }
}

/** Sets of numbers that are joined two by two (union-find). */
final private class Components(size: Int) {

  private val parent = Array.tabulate(size)(identity)

  @scala.annotation.tailrec
  private def root(i: Int): Int =
    if (parent(i) == i) i
    else {
      parent(i) = parent(parent(i))
      root(parent(i))
    }

  def join(i: Int, j: Int): Unit = parent(root(i)) = root(j)

  /** In the order of their smallest members. */
  def all: IndexedSeq[IndexedSeq[Int]] =
    parent.indices.groupBy(root).values.toIndexedSeq.sortBy(_.head)
}
