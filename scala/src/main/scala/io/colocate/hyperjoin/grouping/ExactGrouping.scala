package io.colocate.hyperjoin.grouping

import scala.collection.mutable

/**
 * The groups that read the fewest bytes, by branch and bound. Its time can grow exponentially.
 *
 * @param mostBlocks the most blocks that it accepts
 */
final class ExactGrouping(mostBlocks: Int = 20) extends GroupingAlgorithm {

  override def group(problem: GroupingProblem): Grouping = {
    require(problem.blocks <= mostBlocks,
      s"${problem.blocks} blocks; accepted: at most $mostBlocks")
    new BranchAndBound(SortedGrouping.group(problem)).best()
  }
}

/**
 * Tries each block, in the order of their ranges, in every group that has room and in a new one, unless
 * the result cannot read less than the best grouping so far.
 */
final private class BranchAndBound(start: Grouping) {

  import start.problem
  import start.problem._

  // Blocks without a choice: those that fit with no other block, and those that read nothing.
  private val (heavy, light) = overlaps.order.partition(weights(_) > budget)
  private val (sequence, idle) = light.partition(probed(_).nonEmpty)
  private val settled = heavy.map(Array(_)).toIndexedSeq ++ BestCuts(problem, idle)

  // Probed blocks that overlap just the same blocks count as one.
  private val (probes, columnBytes) = {
    val alike = overlapping.zip(probeBytes)
      .map { case (blocks, bytes) => blocks.toSeq.filter(weights(_) <= budget) -> bytes }
      .filter(_._1.nonEmpty).groupMapReduce(_._1)(_._2)(_ + _).toSeq
    val columns = Array.fill(blocks)(mutable.ArrayBuffer[Int]())
    for (((overlapped, _), column) <- alike.zipWithIndex; block <- overlapped)
      columns(block) += column
    (columns.map(_.toArray), alike.map(_._2).toArray)
  }

  // For each block of the sequence, whether it is like the one before, so that the two are interchangeable.
  private val isTwin = sequence.indices.map { at =>
    at > 0 && weights(sequence(at)) == weights(sequence(at - 1)) &&
    probed(sequence(at)).sameElements(probed(sequence(at - 1)))
  }

  private val groupAt = new Array[Int](sequence.length)
  private val used = new Array[Long](sequence.length)
  private val reads = Array.ofDim[Int](sequence.length, columnBytes.length)
  private val waiting = new Array[Long](columnBytes.length)
  for (block <- sequence; column <- probes(block)) waiting(column) += weights(block)

  private var bestReads = start.probeReads - heavy.map(readsAlone).sum
  private var bestGroupAt = Option.empty[Array[Int]]

  def best(): Grouping = {
    place(0, 0, 0L)
    bestGroupAt.fold(start) { groupOf =>
      val groups = sequence.indices.groupMap(groupOf(_))(sequence(_)).toSeq.sortBy(_._1)
      new Grouping(problem, groups.map(_._2.toArray).toIndexedSeq ++ settled)
    }
  }

  /** @param open the number of groups so far */
  private def place(at: Int, open: Int, read: Long): Unit =
    if (read + leastToRead(open) < bestReads) {
      if (at == sequence.length) {
        bestReads = read
        bestGroupAt = Some(groupAt.clone())
      } else {
        val block = sequence(at)
        // Twins may be taken in either order, so the second never goes to an earlier group.
        val first = if (isTwin(at)) groupAt(at - 1) else 0
        val choices = (first to open).filter(used(_) + weights(block) <= budget)
          .map(group => group -> added(block, group)).sortBy(_._2)
        for ((group, adds) <- choices) {
          groupAt(at) = group
          put(block, group, 1)
          place(at + 1, open.max(group + 1), read + adds)
          put(block, group, -1)
        }
      }
    }

  private def added(block: Int, group: Int): Long = {
    var bytes = 0L
    for (column <- probes(block) if reads(group)(column) == 0) bytes += columnBytes(column)
    bytes
  }

  private def put(block: Int, group: Int, times: Int): Unit = {
    used(group) += times * weights(block)
    for (column <- probes(block)) {
      reads(group)(column) += times
      waiting(column) -= times * weights(block)
    }
  }

  /**
   * A lower bound of the bytes still to be read: blocks that overlap a probed block and find no room in
   * the groups that read it need further groups that read it.
   */
  private def leastToRead(open: Int): Long = {
    var bytes = 0L
    for (column <- columnBytes.indices if waiting(column) > 0) {
      var homeless = waiting(column)
      for (group <- 0 until open if reads(group)(column) > 0) homeless -= budget - used(group)
      if (homeless > 0) bytes += columnBytes(column) * ((homeless + budget - 1) / budget)
    }
    bytes
  }
}
