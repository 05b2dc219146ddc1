package io.colocate.hyperjoin.grouping

import scala.concurrent.duration._
import scala.util.Random

import org.scalatest.concurrent.{ThreadSignaler, TimeLimits}
import org.scalatest.concurrent.Signaler
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

import io.colocate.hyperjoin.grouping.KeyRange.{Empty, Known, Unknown}

/** What the groupings read: published figures, the optimum of small problems, odd and large ones. */
class GroupingSuite extends AnyFunSuite with TimeLimits {

  private val exact = new ExactGrouping(32)

  private val algorithms = Seq(PublishedGrouping, SortedGrouping, exact)

  /** Blocks that weigh and read 1 each. */
  private def units(probed: Seq[Seq[Int]], probes: Int, budget: Int): GroupingProblem =
    new GroupingProblem(Array.fill(probed.length)(1L), Array.fill(probes)(1L),
      new Overlaps(probed.map(_.toArray).toArray, probed.indices.toArray), budget)

  private def keys(ranges: (Int, Int)*): IndexedSeq[KeyBox] =
    ranges.map { case (from, until) => KeyBox(Known(from.toLong, until - 1L)) }.toIndexedSeq

  test("example 1 of the paper: 6 block reads in one grouping, 5 in another") {
    // The figures are the paper's; which blocks overlap is reconstructed from them: A1 joins with B1 and
    // B2, A2 with B1, B2 and B3, A3 with B2 and B3; two A blocks fit.
    val problem = units(Seq(Seq(0, 1), Seq(0, 1, 2), Seq(1, 2)), probes = 3, budget = 2)
    assert(new Grouping(problem, IndexedSeq(Array(0, 2), Array(1))).probeReads == 6)
    assert(new Grouping(problem, IndexedSeq(Array(0, 1), Array(2))).probeReads == 5)
    for (algorithm <- algorithms) assert(algorithm.group(problem).probeReads == 5, algorithm)
  }

  test("figure 3 of the paper: the optimum is 5") {
    // The optimum is the paper's; the ranges are reconstructed so that they give it.
    val overlaps = Overlaps.find(keys((0, 100), (100, 200), (200, 300), (300, 400)),
      keys((0, 150), (150, 250), (250, 350), (350, 400)), IndexedSeq(Instances.longs)).get
    assert(overlaps.probed.map(_.toSeq).toSeq == Seq(Seq(0), Seq(0, 1), Seq(1, 2), Seq(2, 3)))
    val problem = new GroupingProblem(Array.fill(4)(1L), Array.fill(4)(1L), overlaps, budget = 2)
    for (algorithm <- algorithms) {
      val grouping = algorithm.group(problem)
      assert(grouping.probeReads == 5 && grouping.c == 1.25, algorithm)
      assert(grouping.probed.map(_.toSeq).toSet == Set(Seq(0, 1), Seq(1, 2, 3)), algorithm)
    }
  }

  /** The least that any of all partitions into groups reads. */
  private def bruteForce(problem: GroupingProblem): Long = {
    def partitions(blocks: List[Int]): Iterator[List[List[Int]]] = blocks match {
      case Nil => Iterator(Nil)
      case block :: rest =>
        partitions(rest).flatMap { groups =>
          Iterator.single(List(block) :: groups) ++ groups.indices.iterator.map { at =>
            groups.updated(at, block :: groups(at))
          }
        }
    }
    partitions(problem.weights.indices.toList)
      .map(groups => new Grouping(problem, groups.map(_.toArray).toIndexedSeq))
      .filter(_.faults.isEmpty).map(_.probeReads).min
  }

  test("branch and bound finds the least of all partitions") {
    for (seed <- 0 until 150) {
      val random = new Random(seed)
      val (blocks, probes) = (random.nextInt(8), 1 + random.nextInt(6))
      // Any overlaps, also such as no ranges have; some blocks are above the budget.
      val problem = new GroupingProblem(Array.fill(blocks)(random.nextInt(7).toLong),
        Array.fill(probes)(random.nextInt(5).toLong),
        new Overlaps(Array.fill(blocks)((0 until probes).filter(_ => random.nextBoolean()).toArray),
          random.shuffle((0 until blocks).toIndexedSeq).toArray), budget = 5)
      val found = exact.group(problem)
      assert(found.faults.isEmpty && found.probeReads == bruteForce(problem), s"seed $seed")
    }
  }

  test("the best cuts are the best of all cuts of the sequence") {
    for (seed <- 0 until 200) {
      val random = new Random(seed)
      val family = Instances.all(random.nextInt(Instances.all.length))
      val problem = family.problem(seed)
      val sequence = random.shuffle(problem.weights.indices.toIndexedSeq).take(9).toArray
      val cuts = (0 until 1 << (sequence.length - 1).max(0)).map { mask =>
        sequence.indices.foldLeft(IndexedSeq.empty[Array[Int]]) { (groups, at) =>
          if (at == 0 || (mask >> (at - 1) & 1) == 1) groups :+ Array(sequence(at))
          else groups.init :+ (groups.last :+ sequence(at))
        }
      }
      def reads(groups: IndexedSeq[Array[Int]]) = new Grouping(problem, groups).probeReads
      val feasible = cuts.filter(_.forall(_.map(problem.weights(_)).sum <= problem.budget))
      val found = BestCuts(problem, sequence)
      assert(found.flatten == sequence.toSeq)
      assert(found.forall(_.map(problem.weights(_)).sum <= problem.budget))
      assert(reads(found) == feasible.map(reads).min, s"seed $seed")
    }
  }

  for (family <- Instances.all) test(s"${family.name}: against the optimum") {
    val problems = family.problems
    def read(algorithm: GroupingAlgorithm) = problems.map { problem =>
      val grouping = algorithm.group(problem)
      assert(grouping.faults.isEmpty)
      grouping.probeReads.toDouble
    }
    val Seq(published, sorted, best) = algorithms.map(read)
    def mean(reads: Seq[Double]) = reads.lazyZip(best).map(_ / _).sum / best.length
    info(f"published ${mean(published)}%.3f, sorted ${mean(sorted)}%.3f of the optimum")
    assert(sorted.lazyZip(best).forall(_ >= _))
    assert(mean(sorted) <= mean(published))
    if (Instances.twoPhase.contains(family)) assert(mean(sorted) <= 1.02)
  }

  test("10 000 by 10 000 blocks") {
    implicit val signaler: Signaler = ThreadSignaler
    val random = new Random(1)
    val problem = Instances.problem(random, Instances.leaves(random, 5000, 2),
      Instances.leaves(random, 2500, 4), budget = 32)
    val start = System.nanoTime()
    val grouping = failAfter(Span(20, Seconds))(SortedGrouping.group(problem))
    info(f"${(System.nanoTime() - start).nanos.toMillis}%d ms, C_HyJ ${grouping.c}%.3f, " +
      f"published ${PublishedGrouping.group(problem).c}%.3f")
    assert(grouping.faults.isEmpty && grouping.c < 1.5)
  }

  test("no blocks, and nothing to probe") {
    for (algorithm <- algorithms) {
      val none = algorithm.group(units(Nil, probes = 3, budget = 2))
      assert(none.groups.isEmpty && none.probeReads == 0 && none.c == 0)
      val alone = algorithm.group(units(Seq(Nil, Nil, Nil), probes = 0, budget = 2))
      assert(alone.faults.isEmpty && alone.groups.length == 2 && alone.c == 0)
    }
  }

  test("a block above the budget is a group of its own") {
    for (algorithm <- algorithms) {
      val overlaps = new Overlaps(Array.fill(3)(Array(0)), Array(0, 1, 2))
      val problem = new GroupingProblem(Array(1L, 9L, 1L), Array(1L), overlaps, budget = 2)
      val grouping = algorithm.group(problem)
      assert(grouping.groups.map(_.toSet).toSet == Set(Set(1), Set(0, 2)), algorithm)
      assert(grouping.faults.isEmpty && grouping.probeReads == 2)
    }
  }

  test("blocks without keys, and with unknown ones") {
    def group(algorithm: GroupingAlgorithm, range: KeyRange) = {
      val boxes = IndexedSeq.fill(8)(KeyBox(range))
      val overlaps = Overlaps.find(boxes, boxes, IndexedSeq(Instances.longs)).get
      algorithm.group(new GroupingProblem(Array.fill(8)(1L), Array.fill(8)(1L), overlaps,
        budget = 3))
    }
    for (algorithm <- algorithms; (range, c) <- Seq(Empty -> 0.0, Unknown -> 3.0)) {
      val grouping = group(algorithm, range)
      assert(grouping.faults.isEmpty && grouping.groups.length == 3 && grouping.c == c, algorithm)
    }
  }

  test("faults are found") {
    val problem = units(Seq.fill(3)(Seq(0)), probes = 1, budget = 2)
    val faults = new Grouping(problem, IndexedSeq(Array(0, 1, 1))).faults
    assert(faults == Seq("block 1 is in 2 groups", "block 2 is in 0 groups",
      "blocks 0, 1, 1 are 3 bytes, above 2"))
    val message = intercept[IllegalArgumentException](
      new ExactGrouping().group(units(Seq.fill(21)(Nil), 0, 1))).getMessage
    assert(message.contains("21 blocks; accepted: at most 20"))
  }
}
