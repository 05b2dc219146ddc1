package io.colocate.adapt.window

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** The cuts that filters suggest. */
class CutPointsSuite extends AnyFunSuite {

  private val a = AttributeReference("a", IntegerType)()
  private val s = AttributeReference("s", StringType)()
  private val d = AttributeReference("d", DoubleType)()
  private val schema =
    new StructType().add("a", IntegerType).add("s", StringType).add("d", DoubleType)

  private def points(predicate: Expression): Seq[String] =
    CutPoints.of(Seq(predicate), schema).map(_.toString)

  private def text(value: String) = Literal(UTF8String.fromString(value), StringType)

  test("the value of a comparison goes where the comparison sends it") {
    assert(points(a < 5) == Seq("a < 5") && points(a >= 5) == Seq("a < 5"))
    assert(points(a <= 5) == Seq("a <= 5") && points(a > 5) == Seq("a <= 5"))
    assert(points(Literal(5) > a) == Seq("a < 5") && points(Literal(5) <= a) == Seq("a < 5"))
    assert(points(Literal(5) < a) == Seq("a <= 5") && points(Literal(5) >= a) == Seq("a <= 5"))
    assert(points(a === 5) == Seq("a < 5", "a <= 5"))
    assert(points(a <=> 5) == Seq("a < 5", "a <= 5"))
  }

  test("lists, and both sides of OR and NOT") {
    assert(points(In(a, Seq(Literal(1), Literal(null, IntegerType), Literal(9)))) ==
      Seq("a < 1", "a <= 1", "a < 9", "a <= 9"))
    assert(points(InSet(a, (1 to 100).toSet[Any])) ==
      Seq("a < 1", "a <= 1", "a < 100", "a <= 100"))
    assert(points(a < 3 || !(s === text("x"))) == Seq("a < 3", "s < x", "s <= x"))
  }

  test("a prefix is between itself and the next one") {
    assert(points(StartsWith(s, text("ab"))) == Seq("s < ab", "s < ac"))
  }

  test("no cut: NULL, NaN, functions, other columns, long texts, columns of the query") {
    assert(points(a < Literal(null, IntegerType)).isEmpty)
    assert(points(d < Double.NaN).isEmpty)
    assert(points((a + 1) < 5).isEmpty && points(a < Rand(Literal(1)).cast(IntegerType)).isEmpty)
    assert(points(IsNull(a)).isEmpty)
    assert(points(s < text("x" * 100)).isEmpty)
    assert(points(AttributeReference("b", IntegerType)() < 5).isEmpty)
    // Of the same name and another type, so made above the scan.
    assert(points(AttributeReference("a", LongType)() < 5L).isEmpty)
  }
}
