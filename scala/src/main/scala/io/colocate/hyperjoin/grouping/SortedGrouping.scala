package io.colocate.hyperjoin.grouping

/**
 * Orders blocks by their ranges, cuts the sequence so that least is read, and improves the groups.
 *
 * If ranges do not nest, a probed block that overlaps two blocks overlaps all blocks between them, so
 * cuts of the sequence are good groups: the best, in all measured problems whose blocks have similar
 * weights. Blocks that overlap most of the probed side disturb this, so grouping is tried both with them
 * in the sequence and with them set apart. Blocks that overlap nothing are always set apart.
 */
object SortedGrouping extends GroupingAlgorithm {

  override def group(problem: GroupingProblem): Grouping = {
    val wide = problem.overlaps.order.filter(isWide(problem))
    val starts = sorted(problem, apart = Set.empty) +:
      Option.when(wide.nonEmpty)(sorted(problem, wide.toSet)).toSeq
    if (problem.blocks > FewBlocks) LocalSearch.improve(starts.minBy(_.probeReads))
    else (starts :+ PublishedGrouping.group(problem)).map(LocalSearch.improve).minBy(_.probeReads)
  }

  private def sorted(problem: GroupingProblem, apart: Set[Int]): Grouping = {
    val (reading, idle) = problem.overlaps.order.partition(problem.probed(_).nonEmpty)
    val (wide, narrow) = reading.partition(apart)
    new Grouping(problem, IndexedSeq(narrow, wide, idle).flatMap(BestCuts(problem, _)))
  }

  private def isWide(problem: GroupingProblem): Int => Boolean = {
    val once = problem.probeBytes.sum
    problem.readsAlone(_) > once / 2
  }

  /** Up to so many blocks there is time to improve several starts, including the published greedy. */
  private val FewBlocks = 200
}
