package io.colocate.hyperjoin.grouping

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Which blocks a task joins, once what is read is as little as can be. */
class HyperGroupsSuite extends AnyFunSuite {

  // A sixteenth of the bytes up to which neighbours are one task.
  private val unit = 3L << 20

  /** Groups of four blocks of a size, of which all fit into one group. */
  private def groups(probed: Seq[Seq[Int]], size: Long): HyperGroups =
    HyperGroups(probed.indices.map(IndexedSeq(_)), Array.fill(probed.length)(size),
      Array.fill(4)(size), overlaps(probed), whole = 0, budget = 1024 * unit, idle = false)

  private def overlaps(probed: Seq[Seq[Int]]): Overlaps =
    new Overlaps(probed.map(_.toArray).toArray, probed.indices.toArray)

  private val aligned = Seq(Seq(0), Seq(1), Seq(2), Seq(3))

  test("blocks that share nothing are tasks of their own, unless they are small") {
    assert(groups(aligned, size = 9 * unit).grouped == aligned)
    assert(groups(aligned, size = 4 * unit).grouped == Seq(Seq(0, 1), Seq(2, 3)))
    assert(groups(aligned, size = unit).grouped == Seq(Seq(0, 1, 2, 3)))
  }

  test("blocks that share what they read, be it over others, stay in one task") {
    val chain = groups(Seq(Seq(0, 1), Seq(1, 2), Seq(2), Seq(3)), size = 99 * unit)
    assert(chain.grouped == Seq(Seq(0, 1, 2), Seq(3)) && chain.probed == Seq(Seq(0, 1, 2), Seq(3)))
    assert(groups(Seq.fill(4)(Seq(0)), size = 99 * unit).grouped == Seq(Seq(0, 1, 2, 3)))
  }

  test("blocks that stay together do so though they share nothing") {
    val together =
      HyperGroups(IndexedSeq(IndexedSeq(0, 2), IndexedSeq(1, 3)), Array.fill(4)(9 * unit),
        Array.fill(4)(9 * unit), overlaps(aligned), whole = 18 * unit, budget = 18 * unit,
        idle = false)
    assert(together.grouped.map(_.toSet).toSet == Set(Set(0, 2), Set(1, 3)))
  }

  test("blocks that share what they read stay together above the budget, up to a limit") {
    def pairs(whole: Long) =
      HyperGroups((0 until 4).map(IndexedSeq(_)), Array.fill(4)(9 * unit), Array.fill(2)(9 * unit),
        overlaps(Seq(Seq(0), Seq(0), Seq(1), Seq(1))), whole, budget = 17 * unit, idle = false)
    assert(pairs(whole = 18 * unit).grouped == Seq(Seq(0, 1), Seq(2, 3)))
    assert(pairs(whole = 17 * unit).grouped == Seq(Seq(0), Seq(1), Seq(2), Seq(3)))
  }

  test("nothing is read more often than in the groups that read least") {
    val saved = for (seed <- 0 until 200) yield {
      val problem = Instances.all(new Random(seed).nextInt(Instances.all.length)).problem(seed)
      import problem.{budget, probeBytes, weights}
      val best = SortedGrouping.group(problem)
      def groups(whole: Long) =
        HyperGroups(weights.indices.map(IndexedSeq(_)), weights.map(_ * unit),
          probeBytes.map(_ * unit), problem.overlaps, whole, budget * unit, idle = true)
      def reads(found: HyperGroups) = found.probed.flatten.map(probeBytes(_)).sum
      val found = groups(whole = 0)
      assert(reads(found) <= best.probeReads, s"seed $seed")
      assert(found.grouped.flatten.sorted == weights.indices, s"seed $seed")
      assert(found.groups.length >= best.groups.length, s"seed $seed")
      val wholes = groups(whole = 3 * budget * unit)
      assert(wholes.grouped.flatten.sorted == weights.indices, s"seed $seed")
      // A block that is not read is a match that is lost.
      for (group <- found.groups ++ wholes.groups)
        assert(group.probed.sorted == group.grouped.flatMap(problem.probed(_)).distinct.sorted,
          s"seed $seed")
      reads(found) - reads(wholes)
    }
    assert(saved.sum > 0)
  }

  test("where both sides keep their rows, no block of either is in two tasks") {
    def disjoint(probed: Seq[Seq[Int]], size: Long, budget: Long) = HyperGroups.disjoint(
      Array.fill(probed.length)(size), Array.fill(4)(size), overlaps(probed), budget)
    assert(disjoint(aligned, 9 * unit, 1024 * unit).grouped == aligned)
    assert(disjoint(aligned, unit, 1024 * unit).grouped == Seq(Seq(0, 1, 2, 3)))
    assert(disjoint(aligned, unit, 2 * unit).grouped == Seq(Seq(0, 1), Seq(2, 3)))
    val idle = disjoint(Seq(Seq(0, 1), Seq(1), Nil), 9 * unit, 1024 * unit)
    assert(idle.grouped.toSet == Set(Seq(0, 1), Seq(2),
      Nil) && idle.probed.flatten.sorted == (0 to 3))
  }

  test("the largest task comes first") {
    val sizes = Array(9L, 50L, 20L, 30L).map(_ * unit)
    val found = HyperGroups(aligned.map(_.toIndexedSeq).toIndexedSeq, sizes, sizes,
      overlaps(aligned), whole = 0, budget = 1024 * unit, idle = false)
    assert(found.grouped == Seq(Seq(1), Seq(3), Seq(2), Seq(0)))
    val apart = HyperGroups.disjoint(sizes, sizes, overlaps(aligned), budget = 1024 * unit)
    assert(apart.grouped == found.grouped)
  }

  test("neighbours are together while they fit, and one that never fits is alone") {
    def together(most: Long, items: Long*) =
      ConsecutiveGroups.together(items.toIndexedSeq, (identity[Long] _, most))
    assert(together(7, 3, 4, 2, 9, 1) == Seq(Seq(3, 4), Seq(2), Seq(9), Seq(1)))
    assert(together(7) == Nil && together(0, 0, 0, 1, 0) == Seq(Seq(0, 0), Seq(1), Seq(0)))
    val both =
      ConsecutiveGroups.together(IndexedSeq(1L, 2, 3, 4), (identity[Long] _, 9L),
        ((_: Long) => 1L, 2L))
    assert(both == Seq(Seq(1, 2), Seq(3, 4)))
  }

  test("no blocks are one task without files") {
    assert(groups(Nil, size = 1).groups == Seq(HyperGroup(IndexedSeq.empty, IndexedSeq.empty)))
    assert(groups(Seq(Nil, Nil), size = 1).grouped == Seq(Nil))
    val neither = HyperGroups.disjoint(Array.empty, Array.empty, overlaps(Nil), budget = 1)
    assert(neither.groups == Seq(HyperGroup(IndexedSeq.empty, IndexedSeq.empty)))
  }
}
