package io.colocate.hyperjoin.grouping

/**
 * The blocks of a problem in groups.
 *
 * @param groups the numbers of the blocks in each
 */
final class Grouping(val problem: GroupingProblem, val groups: IndexedSeq[Array[Int]]) {

  /** For each group, ascending, the probed blocks that it reads. */
  lazy val probed: IndexedSeq[Array[Int]] = {
    val lastReader = Array.fill(problem.probeBytes.length)(-1)
    groups.indices.map { group =>
      val reads = Array.newBuilder[Int]
      for (block <- groups(group); probe <- problem.probed(block) if lastReader(probe) != group) {
        lastReader(probe) = group
        reads += probe
      }
      reads.result().sorted
    }
  }

  /** The bytes of probed blocks that are read, once for each group that needs them. */
  lazy val probeReads: Long = probed.map(problem.bytes).sum

  /** How often the probed side is read, C_HyJ in the paper; 0 where it is empty. */
  def c: Double = {
    val once = problem.probeBytes.sum
    if (once == 0) 0.0 else probeReads.toDouble / once
  }

  /** Why this is not a valid grouping of the problem; empty if it is. */
  def faults: Seq[String] = {
    val times = new Array[Int](problem.blocks)
    for (group <- groups; block <- group) times(block) += 1
    val misplaced =
      times.indices.filter(times(_) != 1).map(block => s"block $block is in ${times(block)} groups")
    val heavy = groups.filter(group => group.length > 1 && weight(group) > problem.budget)
    val tooHeavy = heavy.map(group =>
      s"blocks ${group.mkString(", ")} are ${weight(group)} bytes, above ${problem.budget}")
    misplaced ++ tooHeavy
  }

  private def weight(group: Array[Int]): Long = group.map(problem.weights(_)).sum
}
