package io.colocate.hyperjoin.grouping

/**
 * Orders blocks by their ranges, cuts that sequence where least is read, and improves the groups.
 *
 * Where ranges do not nest, a probed block that overlaps two blocks overlaps all between them, so that
 * cuts of the sequence are good groups: the best, in all measured problems whose blocks weigh alike.
 * Blocks that overlap most of the probed side would stand in the way of that. With and without them
 * put apart is tried; those that overlap nothing always are.
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

  /** With so many there is time to improve more than one start, the published greedy among them. */
  private val FewBlocks = 200
}
