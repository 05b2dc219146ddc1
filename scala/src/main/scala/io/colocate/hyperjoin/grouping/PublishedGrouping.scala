package io.colocate.hyperjoin.grouping

import scala.collection.mutable

/**
 * The published bottom-up greedy (Lu et al., AdaptDB, PVLDB 10(5), 2017, figure 4): a group repeatedly
 * takes the block with which it reads least, while one fits.
 *
 * The figure leaves the chosen block among the candidates until the group is full; here it is removed at
 * once, because otherwise a group would hold one block many times.
 */
object PublishedGrouping extends GroupingAlgorithm {

  override def group(problem: GroupingProblem): Grouping = {
    import problem._
    // The bytes that each block would add to the reads of the current group.
    val adds = Array.tabulate(blocks)(readsAlone)
    val left = mutable.ArrayBuffer.range(0, blocks)
    val groups = IndexedSeq.newBuilder[Array[Int]]
    while (left.nonEmpty) {
      val group = mutable.ArrayBuffer[Int]()
      val read = mutable.LinkedHashSet[Int]()
      var free = budget
      var next = least(left, adds, _ => true)
      while (next >= 0) {
        val block = left.remove(next)
        group += block
        free -= weights(block)
        for (probe <- probed(block) if read.add(probe); other <- overlapping(probe))
          adds(other) -= probeBytes(probe)
        next = least(left, adds, weights(_) <= free)
      }
      for (probe <- read; other <- overlapping(probe)) adds(other) += probeBytes(probe)
      groups += group.toArray
    }
    new Grouping(problem, groups.result())
  }

  /** The position in `left` of the block that adds least, the first one of a tie; -1 if none fits. */
  private def least(
      left: mutable.ArrayBuffer[Int],
      adds: Array[Long],
      fits: Int => Boolean): Int = {
    var best = -1
    for (at <- left.indices if fits(left(at)))
      if (best < 0 || adds(left(at)) < adds(left(best))) best = at
    best
  }
}
