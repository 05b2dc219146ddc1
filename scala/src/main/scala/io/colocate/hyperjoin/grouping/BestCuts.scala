package io.colocate.hyperjoin.grouping

/**
 * Cuts a sequence of blocks into groups so that they read the fewest bytes of all such cuts.
 *
 * Dynamic programming over where the last group starts,
 * {{{
 *   best(end) = least over start of best(start) + read(start until end)
 * }}}
 * where the next block adds to `read` the probed blocks that no block since the start overlaps. Each of
 * these raises the sums of all starts after the last block that overlaps it. With [[Sums]] this takes
 * O((blocks + overlaps) log blocks), however many blocks a group may hold.
 */
private[grouping] object BestCuts {

  def apply(problem: GroupingProblem, sequence: Array[Int]): IndexedSeq[Array[Int]] = {
    import problem._
    val sums = new Sums(sequence.length)
    // For each end, from 1, where its last group starts.
    val lastStart = new Array[Int](sequence.length + 1)
    // For each probed block, the position after the last block of the sequence that overlaps it.
    val needed = new Array[Int](probeBytes.length)
    var (best, start, weight) = (0L, 0, 0L)
    for (at <- sequence.indices) {
      sums.set(at, best)
      val block = sequence(at)
      weight += weights(block)
      for (probe <- probed(block)) {
        sums.raiseFrom(needed(probe), probeBytes(probe))
        needed(probe) = at + 1
      }
      while (weight > budget && start < at) {
        sums.exclude(start)
        weight -= weights(sequence(start))
        start += 1
      }
      best = sums.least
      lastStart(at + 1) = sums.firstLeast
    }
    Iterator.iterate(sequence.length)(lastStart).takeWhile(_ > 0)
      .map(end => sequence.slice(lastStart(end), end)).toIndexedSeq.reverse
  }
}

/**
 * A growing sequence of numbers. All numbers from a position on can be raised, and the least is known.
 *
 * The leaves of a binary tree hold the step from each number to the next. A node has the sum of the
 * steps below it and the least of their prefix sums.
 */
final private[grouping] class Sums(length: Int) {

  // The number of leaves: a power of two, with room for one step after the last number.
  private val leaves = Integer.highestOneBit(length + 1) * 2
  private val sum = new Array[Long](2 * leaves)
  private val leastPrefix = new Array[Long](2 * leaves)

  /** Appends a number. */
  def set(at: Int, value: Long): Unit = raiseFrom(at, value - sum(1))

  def raiseFrom(at: Int, by: Long): Unit = {
    var node = leaves + at
    sum(node) += by
    leastPrefix(node) = sum(node)
    while (node > 1) {
      node /= 2
      sum(node) = sum(2 * node) + sum(2 * node + 1)
      leastPrefix(node) = leastPrefix(2 * node).min(sum(2 * node) + leastPrefix(2 * node + 1))
    }
  }

  /** Makes a number, not the last one, greater than all others. */
  def exclude(at: Int): Unit = {
    raiseFrom(at, Sums.Excluded)
    raiseFrom(at + 1, -Sums.Excluded)
  }

  // The leaves after the last number repeat it.
  def least: Long = leastPrefix(1)

  /** The first of the least numbers. */
  def firstLeast: Int = {
    var node = 1
    while (node < leaves) {
      val right = sum(2 * node) + leastPrefix(2 * node + 1)
      node = if (leastPrefix(2 * node) <= right) 2 * node else 2 * node + 1
    }
    node - leaves
  }
}

private[grouping] object Sums {
  private val Excluded = 1L << 61
}
