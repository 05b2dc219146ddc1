package io.colocate.multiway.wcoj

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Numbers of rows against numbers without a limit. */
class WeightSuite extends AnyFunSuite {

  private def fitting(number: BigInt): Long = number.min(BigInt(Weight.Most)).toLong

  test("sums and products are exact, or the most") {
    val random = new Random(34)
    val numbers =
      Seq(0L, 1L, 2L, 3037000499L, 3037000500L, 1L << 62, Weight.Most - 1, Weight.Most) ++
        Seq.fill(200)(random.nextLong() >>> 1 + random.nextInt(62))
    for (a <- numbers; b <- numbers) {
      assert(Weight.times(a, b) == fitting(BigInt(a) * b), s"$a * $b")
      assert(Weight.plus(a, b) == fitting(BigInt(a) + b), s"$a + $b")
    }
  }

  test("whoever counts is told that there are too many") {
    assert(Weight.exact(7) == 7)
    assertThrows[ArithmeticException](Weight.exact(Weight.Most))
  }
}
