package io.colocate.multiway.graph

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.multiway.decide.{BinaryPlans, InputSize}

/** Cycles, bounds and estimates of small joins, by known values. */
class HypergraphSuite extends AnyFunSuite {

  private def core(edges: Set[Int]*): Set[Int] = Hypergraph(edges.toIndexedSeq).core

  test("paths, stars and joins that one input covers have no core") {
    assert(core(Set(0, 1), Set(1, 2), Set(2, 3)).isEmpty)
    assert(core(Set(0, 1), Set(0, 2), Set(0, 3)).isEmpty)
    assert(core(Set(0, 1), Set(1, 2), Set(0, 2), Set(0, 1, 2)).isEmpty)
    assert(core(Set(0, 1), Set(0, 1)).isEmpty)
    assert(core(Set.empty, Set(0), Set.empty).isEmpty)
  }

  test("cycles are the core, ears are not, and cycles that meet hang together") {
    assert(core(Set(0, 1), Set(1, 2), Set(0, 2)) == Set(0, 1, 2))
    assert(core(Set(5, 0), Set(0, 1), Set(1, 2), Set(0, 2), Set(2, 7), Set(7, 8)) == Set(1, 2, 3))
    assert(core(Set(0, 1), Set(1, 2), Set(2, 3), Set(3, 0)) == Set(0, 1, 2, 3))
    assert(core(Set(0, 1, 2), Set(1, 2, 3), Set(2, 3, 0), Set(3, 0, 1)).size == 4)
    val bow =
      Hypergraph(IndexedSeq(Set(0, 1), Set(1, 2), Set(0, 2), Set(2, 3), Set(3, 4), Set(2, 4)))
    assert(bow.components(bow.core) == Seq(Set(0, 1, 2, 3, 4, 5)))
    val two =
      Hypergraph(IndexedSeq(Set(0, 1), Set(1, 2), Set(0, 2), Set(3, 4), Set(4, 5), Set(3, 5)))
    assert(two.components(two.core) == Seq(Set(0, 1, 2), Set(3, 4, 5)))
  }

  test("what is only looked for closes a cycle, but covers no input and goes before one") {
    def core(checks: Set[Int], edges: Set[Int]*) = Hypergraph(edges.toIndexedSeq, checks).core
    assert(core(Set(2), Set(0, 1), Set(1, 2), Set(0, 2)) == Set(0, 1, 2))
    assert(core(Set(2), Set(0, 1), Set(1, 2), Set(1, 2)).isEmpty)
    assert(core(Set(0), Set(0, 1), Set(0, 1), Set(1, 2), Set(0, 2)) == Set(1, 2, 3))
    // An input that has all variables makes a triangle acyclic, but not if its rows are not joined.
    val covered = Seq(Set(0, 1), Set(1, 2), Set(0, 2), Set(0, 1, 2))
    assert(core(Set.empty, covered: _*).isEmpty && core(Set(3), covered: _*) == Set(0, 1, 2, 3))
  }

  private def near(a: Double, b: Double) = assert(math.abs(a - b) < 1e-6)

  private def exponent(edges: Set[Int]*): Double = AgmBound.exponent(edges)

  test("bounds of known joins") {
    near(exponent(Set(0, 1), Set(1, 2), Set(0, 2)), 1.5)
    near(exponent(Set(0, 1), Set(1, 2), Set(2, 3), Set(3, 0)), 2)
    near(exponent(Set(0, 1, 2), Set(1, 2, 3), Set(2, 3, 0), Set(3, 0, 1)), 4.0 / 3)
    near(exponent(Set(0, 1), Set(0, 2), Set(0, 3), Set(1, 2), Set(1, 3), Set(2, 3)), 2)
    near(exponent(Set(0, 1), Set(1, 2), Set(2, 3), Set(3, 4), Set(4, 0)), 2.5)
    near(exponent(Set(0, 1), Set(2, 3)), 2)
    near(exponent(Set(0)), 1)
    val triangle = Seq(Set(0, 1), Set(1, 2), Set(0, 2))
    near(AgmBound.log(triangle, Seq(math.log(10), math.log(1000), math.log(1000))),
      math.log(1e7) / 2)
    near(AgmBound.log(triangle, Seq(math.log(2), math.log(1000), math.log(9000))), math.log(2000))
    near(AgmBound.log(triangle, Seq(0, 0, math.log(50))), 0)
  }

  test("the largest intermediate result of the best order") {
    def input(rows: Double, distinct: (Int, Double)*) = InputSize(rows, distinct.toMap)
    val triangle = IndexedSeq(input(1000, 0 -> 10, 1 -> 100), input(1000, 1 -> 100, 2 -> 50),
      input(1000, 0 -> 10, 2 -> 50))
    // Joined on the variable with most values first: 1000 * 1000 / 100.
    val cycle = Seq(Set(0, 1, 2))
    def largest(inputs: IndexedSeq[InputSize], cycles: Seq[Set[Int]], within: Int = 16) =
      BinaryPlans.largestIntermediate(inputs, cycles, within)
    near(largest(triangle, cycle) / 10000, 1)
    // With an input that hangs on the cycle and keeps a tenth of one of its rows, that one comes first.
    near(largest(triangle :+ input(1, 0 -> 1), cycle) / 1000, 1)
    // One that multiplies rows comes last, which does not make the cycle any worse.
    near(largest(triangle :+ input(1e6, 0 -> 10), cycle) / 10000, 1)
    // A cycle that a check closes, which is no input: its last join of two counts too.
    near(largest(triangle.take(2), Seq(Set(0, 1, 7))) / 10000, 1)
    near(largest(triangle.take(2), Seq(Set(0, 1))), 0)
    val open = IndexedSeq.tabulate(4)(i => input(1000, i -> 100, (i + 1) % 4 -> 100))
    near(largest(open, Seq(Set(0, 1, 2, 3))) / 1e5, 1)
    near(largest(open, Seq(Set(0, 1, 2, 3)), within = 2) / 1e4, 1)
    val begin = System.nanoTime()
    val ring = IndexedSeq.tabulate(16)(i => input(1000, i -> 10, (i + 1) % 16 -> 10))
    largest(ring, Seq(ring.indices.toSet))
    assert(System.nanoTime() - begin < 2e9)
    info(s"16 inputs: ${(System.nanoTime() - begin) / 1000000} ms")
  }
}
