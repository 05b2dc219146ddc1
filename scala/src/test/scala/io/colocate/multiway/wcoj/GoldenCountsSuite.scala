package io.colocate.multiway.wcoj

import org.scalatest.funsuite.AnyFunSuite

/** Numbers that are known in closed form, on graphs on which every binary plan is quadratic. */
class GoldenCountsSuite extends AnyFunSuite {

  /** Counts the directed 3-cycles a -> b -> c -> a. */
  private def cycles(src: Array[Long], dst: Array[Long]): (Long, Long) = {
    val dictionary = Dictionary.of(Seq(src, dst))
    val (from, to) = (dictionary.ranks(src), dictionary.ranks(dst))
    val domains = Array(dictionary.size, dictionary.size)
    val forward = Trie.build(Array(from, to), domains, keepRows = false)
    val backward = Trie.build(Array(to, from), domains, keepRows = false)
    val join = new GenericJoin(JoinPlan(Array.fill(3)(dictionary.size), driven = 2, listed = 2,
      Seq(Relation(forward, Array(1, 2)), Relation(backward, Array(0, 2)))))
    var (sum, i) = (0L, 0)
    while (i < from.length) {
      join.bound(0) = from(i)
      join.bound(1) = to(i)
      if (join.start()) while (join.next()) sum += join.weight
      i += 1
    }
    (sum, join.proposals)
  }

  private def edges(pairs: Iterator[(Long, Long)]): (Array[Long], Array[Long]) = pairs.toArray.unzip

  private def broom(n: Int): Iterator[(Long, Long)] =
    (1L to n).iterator.flatMap(i => Iterator((0L, i), (i, 0L)))

  test("a broom has no 3-cycle, and they are not looked for in its n^2 wedges") {
    val (src, dst) = edges(broom(40000))
    val (count, proposals) = cycles(src, dst)
    assert(count == 0 && proposals <= 2 * 40000)
  }

  for (n <- Seq(100000, 1000000)) test(s"a toad of $n has 3n - 3 directed 3-cycles") {
    val (src, dst) = edges(broom(n) ++ (1L until n).iterator.map(i => (i, i + 1)))
    val (count, proposals) = cycles(src, dst)
    assert(count == 3L * n - 3 && proposals <= 6L * n)
  }
}
