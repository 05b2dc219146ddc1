package io.colocate.facts.expressions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/** The spellings of the key that one side of a join or the other has, and what only looks like one. */
class EitherKeySuite extends AnyFunSuite {

  private val Seq(l, r, other) =
    Seq("l", "r", "other").map(AttributeReference(_, IntegerType)())
  private val Seq(x, y) = Seq("x", "y").map(AttributeReference(_, DoubleType)())
  private val long = AttributeReference("long", LongType)()

  for ((name, e) <- Seq("COALESCE" -> Coalesce(Seq(l, r)),
      "COALESCE, the other way round" -> Coalesce(Seq(r, l)), "IF" -> If(IsNotNull(l), l, r),
      "IF of NULL" -> If(IsNull(r), l, r), "CASE" -> CaseWhen(Seq((IsNotNull(r), r)), Some(l)),
      "CASE of NULL" -> CaseWhen(Seq((IsNull(l), r)), Some(l))))
    test(s"is the one key or the other: $name") {
      assert(EitherKey(e, l, r) && EitherKey(e, r, l))
      assert(!EitherKey(e, l, other) && !EitherKey(e, other, r))
    }

  for ((name, e) <- Seq("one of them" -> l, "COALESCE of one" -> Coalesce(Seq(l)),
      "with a third" -> Coalesce(Seq(l, r, other)), "the wrong case" -> If(IsNull(l), l, r),
      "another test" -> If(IsNotNull(other), l, r),
      "CASE without ELSE" -> CaseWhen(Seq((IsNotNull(l), l)), None),
      "two cases" -> CaseWhen(Seq((IsNotNull(l), l), (IsNotNull(r), r)), Some(other))))
    test(s"is not: $name") {
      assert(!EitherKey(e, l, r))
    }

  test("keys that are themselves such keys, written one after the other") {
    val first = Coalesce(Seq(l, r))
    for (e <- Seq(Coalesce(Seq(first, other)), Coalesce(Seq(l, r, other)),
        Coalesce(Seq(other, l, r))))
      assert(EitherKey(e, first, other))
    assert(!EitherKey(Coalesce(Seq(l, other, r)), first, other))
  }

  test("equal doubles may differ in bits, and numbers of two types do") {
    assert(!EitherKey(Coalesce(Seq(x, y)), x, y))
    assert(!EitherKey(Coalesce(Seq(Cast(l, LongType), long)), l, long))
    assert(EitherKey(Coalesce(Seq(Cast(l, LongType), long)), Cast(l, LongType), long))
  }
}
