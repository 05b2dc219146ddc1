package io.colocate.hyperjoin

/**
 * Orders blocks by their ranges, cuts that sequence where least is read, and improves the groups.
 *
 * Where the ranges of no side nest, the best groups are cuts of the sequence: a probed block that
 * overlaps two blocks overlaps all between them. Blocks that overlap most of the probed side would
 * stand in the way of that, so they are put apart, as are those that overlap nothing.
 */
object SortedGrouping extends GroupingAlgorithm {

  override def group(problem: GroupingProblem): Grouping = {
    val wide = problem.overlaps.order.filter(isWide(problem))
    val starts = Iterator(sorted(problem, apart = Set.empty)) ++
      Option.when(wide.nonEmpty)(sorted(problem, wide.toSet)) ++
      Option.when(problem.blocks <= FewBlocks)(PublishedGrouping.group(problem))
    starts.map(start => new LocalSearch(start).improved()).minBy(_.probeReads)
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

  /** Up to so many the published greedy is tried, too. */
  private val FewBlocks = 1000
}
