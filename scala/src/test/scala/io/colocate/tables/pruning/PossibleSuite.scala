package io.colocate.tables.pruning

import org.scalatest.funsuite.AnyFunSuite

/**
 * Every pair of sets of outcomes, against SQL's own tables.
 *
 * {{{
 *   build/sbt "scala/testOnly *PossibleSuite"
 * }}}
 */
class PossibleSuite extends AnyFunSuite {

  private val (t, f, n, e) =
    (Possible.True.bits, Possible.False.bits, Possible.Null.bits, Possible.Error.bits)

  private def and(a: Int, b: Int): Int =
    if (a == f || a == e) a
    else if (a == t || b == f || b == e) b
    else n

  private def or(a: Int, b: Int): Int =
    if (a == t || a == e) a
    else if (a == f || b == t || b == e) b
    else n

  private def not(a: Int): Int = if (a == t) f else if (a == f) t else a

  private def members(set: Int): Seq[Int] = Seq(t, f, n, e).filter(bit => (set & bit) != 0)

  private def lifted(a: Int, b: Int)(operator: (Int, Int) => Int): Int =
    (for (x <- members(a); y <- members(b)) yield operator(x, y)).fold(0)(_ | _)

  test("AND and OR give just what their parts can give") {
    // A right side without any outcome does not happen: there are rows or there are none.
    for (a <- 0 to 15; b <- 1 to 15) {
      val (left, right) = (new Possible(a), new Possible(b))
      assert(left.and(right).bits == lifted(a, b)(and), s"$left AND $right")
      assert(left.or(right).bits == lifted(a, b)(or), s"$left OR $right")
    }
  }

  test("NOT gives just what its part can give") {
    for (a <- 0 to 15)
      assert(new Possible(a).not.bits == members(a).map(not).fold(0)(_ | _), new Possible(a))
  }

  test("FALSE and NULL rule out, TRUE and an error do not") {
    assert((Possible.False | Possible.Null).rulesOut && Possible.Nothing.rulesOut)
    assert(!(Possible.False | Possible.True).rulesOut)
    assert(!(Possible.False | Possible.Error).rulesOut)
    assert(!Possible.Anything.rulesOut)
  }

  test("is shown by its members") {
    assert((Possible.True | Possible.Null).toString == "{true, null}")
  }
}
