package io.colocate.hyperjoin.grouping

import scala.collection.mutable

/**
 * Improves a grouping step by step: joins two groups, moves a block into another group, swaps two
 * blocks, as long as that reads less.
 *
 * Only steps between groups that read a block in common can help. A swap helps only if one of the two
 * moves alone would, as the bytes that a group reads are submodular. So swaps are tried if a move would
 * help but the block does not fit.
 */
final private[grouping] class LocalSearch(start: Grouping) {

  import LocalSearch.MostWork
  import start.problem
  import start.problem._

  private val members = start.groups.map(mutable.ArrayBuffer.from(_))
  private val used = start.groups.map(_.map(weights(_)).sum).toArray
  private val groupOf = new Array[Int](blocks)
  for ((group, number) <- start.groups.zipWithIndex; block <- group) groupOf(block) = number

  /** For each probed block the groups that read it, and how many blocks of each overlap it. */
  private val readers = Array.fill(probeBytes.length)(mutable.HashMap[Int, Int]())
  for (block <- groupOf.indices; probe <- probed(block)) count(probe, groupOf(block), 1)

  private var reads = start.probeReads
  private var work = 0L

  /** The grouping that no step improves, or the one reached when the work is used up. */
  def improved(): Grouping = {
    var better = true
    while (better && work < MostWork) {
      val before = reads
      // Of two groups that fit into one, one fills no more than half of the budget.
      for (group <- members.indices if used(group) <= budget / 2) join(group)
      for (block <- groupOf.indices) move(block)
      better = reads < before
    }
    new Grouping(problem, members.filter(_.nonEmpty).map(_.toArray))
  }

  /** Puts a group into the one with which it has most reads in common. */
  private def join(group: Int): Unit = {
    val read = members(group).iterator.flatMap(probed(_)).toSet
    val fitting = inCommon(group, read).filter { case (other, _) =>
      used(other) + used(group) <= budget
    }
    for ((other, bytes) <- fitting.maxByOption(_._2) if bytes > 0)
      members(group).toArray.foreach(put(_, other))
  }

  /** Moves a block to the group where it helps most and fits, or swaps it with one of that group. */
  private def move(block: Int): Unit = {
    val from = groupOf(block)
    // Bytes that its group reads for this block alone, and would no longer read.
    val freed = probed(block).iterator.filter(readers(_)(from) == 1).map(probeBytes(_)).sum
    if (freed > 0) {
      val alone = readsAlone(block)
      inCommon(from, probed(block)).toSeq
        .filter { case (_, bytes) => freed > alone - bytes }
        .sortBy { case (to, bytes) => (-bytes, to) }
        .find { case (to, _) => moveTo(block, to) || swap(block, to) }
    }
  }

  private def moveTo(block: Int, to: Int): Boolean = {
    val fits = used(to) + weights(block) <= budget
    if (fits) put(block, to)
    fits
  }

  /** Swaps a block with the first of another group with which this helps; false if none does. */
  private def swap(block: Int, to: Int): Boolean = {
    val (from, before) = (groupOf(block), reads)
    members(to).toArray.exists { other =>
      val grown = weights(block) - weights(other)
      val fits = used(to) + grown <= budget && used(from) - grown <= budget
      if (fits && work < MostWork) {
        put(block, to)
        put(other, from)
        if (reads >= before) {
          put(block, from)
          put(other, to)
        }
      }
      reads < before
    }
  }

  /** For other groups, the bytes of these probed blocks that they read. */
  private def inCommon(group: Int, probes: Iterable[Int]): collection.Map[Int, Long] = {
    val bytes = mutable.HashMap[Int, Long]()
    for (probe <- probes if work < MostWork) {
      work += readers(probe).size
      for (other <- readers(probe).keysIterator if other != group)
        bytes(other) = bytes.getOrElse(other, 0L) + probeBytes(probe)
    }
    bytes
  }

  private def put(block: Int, to: Int): Unit = {
    val from = groupOf(block)
    groupOf(block) = to
    members(from) -= block
    members(to) += block
    used(from) -= weights(block)
    used(to) += weights(block)
    work += probed(block).length
    for (probe <- probed(block)) {
      if (count(probe, from, -1) == 0) reads -= probeBytes(probe)
      if (count(probe, to, 1) == 1) reads += probeBytes(probe)
    }
  }

  /** Adds to the number of a group's blocks that overlap a probed block, and returns the new number. */
  private def count(probe: Int, group: Int, more: Int): Int = {
    val now = readers(probe).getOrElse(group, 0) + more
    if (now == 0) readers(probe) -= group else readers(probe)(group) = now
    now
  }
}

private[grouping] object LocalSearch {

  /** The most entries of overlaps and of groups' reads that are looked at, which bounds the time. */
  private val MostWork = 3000000L

  def improve(start: Grouping): Grouping =
    if (start.problem.overlaps.pairs > MostWork) start else new LocalSearch(start).improved()
}
