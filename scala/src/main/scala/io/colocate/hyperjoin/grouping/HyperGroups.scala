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
   * Bytes of both sides below which a task costs more to begin than smaller hash tables save. At 15
   * and 60 million rows, 32 tasks took 8 to 18 % less time than 8.
   */
  private val TaskBytes = 16L << 20

  /**
   * Groups that read least of the probed side.
   *
   * @param parts  blocks of the grouped side that stay together, so that equal keys do
   * @param bytes  that the blocks of the grouped side take in memory
   * @param probed the same of the probed side
   * @param budget bytes of the grouped side in one group of several parts
   * @param idle   true if blocks that overlap nothing are wanted too
   */
  def apply(
      parts: IndexedSeq[IndexedSeq[Int]],
      bytes: Array[Long],
      probed: Array[Long],
      overlaps: Overlaps,
      budget: Long,
      idle: Boolean): HyperGroups = {
    val weights = parts.map(sum(_, bytes)).toArray
    val problem = new GroupingProblem(weights, probed, merged(overlaps, parts), budget)
    val found = SortedGrouping.group(problem)
    val groups = found.groups.zip(found.probed).flatMap { case (members, reads) =>
      split(HyperGroup(members.toIndexedSeq, reads.toIndexedSeq), problem.overlaps,
        (total(weights, probed), TaskBytes))
    }.map { group =>
      val blocks = group.grouped.flatMap(parts(_))
      group.copy(grouped = blocks.filter(idle || overlaps.probed(_).nonEmpty))
    }
    tasks(groups.filter(_.grouped.nonEmpty), bytes, probed)
  }

  /** The largest first, so that cores end together; a join of no rows is a task without files. */
  private def tasks(
      groups: IndexedSeq[HyperGroup],
      bytes: Array[Long],
      probed: Array[Long]): HyperGroups = {
    val weigh = total(bytes, probed)
    HyperGroups(if (groups.isEmpty) IndexedSeq(Nothing) else groups.sortBy(-weigh(_)))
  }

  private def sum(blocks: IndexedSeq[Int], bytes: Array[Long]): Long =
    blocks.iterator.map(bytes).sum

  private def total(bytes: Array[Long], probed: Array[Long]): HyperGroup => Long =
    group => sum(group.grouped, bytes) + sum(group.probed, probed)

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
    val all = HyperGroup(bytes.indices, probed.indices)
    val apart = split(all, overlaps, (group => sum(group.grouped, bytes), budget),
      (group => sum(group.probed, probed), budget), (total(bytes, probed), TaskBytes))
    tasks(apart, bytes, probed)
  }

  /**
   * Parts a group where no block of the probed side is shared: nothing is read more often, each task
   * hashes less at a time, and there are more of them to keep all cores at work.
   *
   * @param limits within which neighbours had better stay together
   */
  private def split(
      group: HyperGroup,
      overlaps: Overlaps,
      limits: (HyperGroup => Long, Long)*): IndexedSeq[HyperGroup] = {
    val probes = group.probed.zip(Iterator.from(group.grouped.length)).toMap
    val parts = new Components(group.grouped.length + group.probed.length)
    for ((block, i) <- group.grouped.zipWithIndex; read <- overlaps.probed(block))
      parts.join(i, probes(read))
    val wholes = parts.all.map { members =>
      val (own, other) = members.partition(_ < group.grouped.length)
      HyperGroup(own.map(group.grouped), other.map(i => group.probed(i - group.grouped.length)))
    }
    Neighbours.together(wholes, limits: _*).map { groups =>
      HyperGroup(groups.flatMap(_.grouped), groups.flatMap(_.probed))
    }
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
