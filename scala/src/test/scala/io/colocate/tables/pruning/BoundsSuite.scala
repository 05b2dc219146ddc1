package io.colocate.tables.pruning

import org.scalatest.funsuite.AnyFunSuite

/**
 * What statistics say and do not say.
 *
 * {{{
 *   build/sbt "scala/testOnly *BoundsSuite"
 * }}}
 */
class BoundsSuite extends AnyFunSuite {

  private def flags(b: Bounds) = (b.mayBeNull, b.mayBeNaN, b.mayBeValue)

  private def of(rows: Long, nulls: Long, nans: Long): Bounds =
    Bounds.ofFile(floating = true, rows, nulls, nans, min = 1.0, max = 2.0)

  test("counts tell NULL, NaN and other values apart") {
    assert(flags(of(rows = 3, nulls = 0, nans = 0)) == ((false, false, true)))
    assert(flags(of(rows = 3, nulls = 1, nans = 1)) == ((true, true, true)))
    assert(flags(of(rows = 3, nulls = 3, nans = 0)) == ((true, false, false)))
    assert(flags(of(rows = 3, nulls = 1, nans = 2)) == ((true, true, false)))
    assert(of(rows = 0, nulls = 0, nans = 0).isEmpty)
  }

  test("unknown counts, and counts that contradict each other, leave everything open") {
    for ((nulls, nans) <- Seq(-1L -> -1L, 4L -> -1L, -1L -> 4L))
      assert(flags(of(rows = 3, nulls, nans)) == ((true, true, true)), (nulls, nans))
    assert(flags(of(rows = 3, nulls = -1, nans = 0)) == ((true, false, true)))
  }

  test("a column that is no floating number has no NaN") {
    val bounds = Bounds.ofFile(floating = false, rows = 3, nulls = 0, nans = -1, 1, 2)
    assert(flags(bounds) == ((false, false, true)))
  }

  test("an end that is NaN is no end") {
    val bounds = Bounds.ofFile(floating = true, 3, 0, 1, min = Double.NaN, max = Double.NaN)
    assert(bounds.min == null && bounds.max == null)
  }

  test("constants") {
    assert(Bounds.constant(null) == Bounds.OnlyNull)
    assert(Bounds.constant(Float.NaN) == Bounds.OnlyNaN)
    val five = Bounds.constant(5)
    assert(flags(five) == ((false, false, true)) && five.min == 5 && five.max == 5)
  }
}
