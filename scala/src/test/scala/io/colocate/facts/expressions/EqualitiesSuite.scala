package io.colocate.facts.expressions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/** What a predicate makes equal or constant, and what it does not. */
class EqualitiesSuite extends AnyFunSuite {

  private val Seq(a, b, c) = Seq("a", "b", "c").map(AttributeReference(_, IntegerType)())
  private val long = AttributeReference("l", LongType)()
  private val Seq(x, y) = Seq("x", "y").map(AttributeReference(_, DoubleType)())

  private def pairs(predicate: Expression): Seq[(ExprId, ExprId)] = Equalities.pairs(predicate)

  test("columns that are compared by = are equal") {
    assert(pairs(EqualTo(a, b)) == Seq(a.exprId -> b.exprId))
    assert(pairs(And(EqualTo(a, b), And(GreaterThan(a, c), EqualTo(b, c)))) ==
      Seq(a.exprId -> b.exprId, b.exprId -> c.exprId))
  }

  for ((what, predicate) <- Seq("<=>, both may be NULL" -> EqualNullSafe(a, b),
      "one of two conditions" -> Or(EqualTo(a, b), EqualTo(a, c)),
      "a negated condition" -> Not(EqualTo(a, b)), "doubles, -0.0 = 0.0" -> EqualTo(x, y),
      "a cast column" -> EqualTo(Cast(a, LongType), long)))
    test(s"not equal by $what")(assert(pairs(predicate).isEmpty))

  test("a column that is compared with a literal is constant") {
    assert(Equalities.constants(EqualTo(a, Literal(1))) == Set(a.exprId))
    assert(Equalities.constants(And(EqualTo(Literal(1), a), EqualTo(b, Literal(2)))) ==
      Set(a.exprId, b.exprId))
  }

  for ((what, predicate) <- Seq("a comparison" -> LessThan(a, Literal(1)),
      "one of two literals" -> In(a, Seq(Literal(1), Literal(2))),
      "NULL, which no row equals" -> EqualTo(a, Literal(null, IntegerType)),
      "a double, -0.0 = 0.0" -> EqualTo(x, Literal(0.0)),
      "<=>" -> EqualNullSafe(a, Literal(null, IntegerType))))
    test(s"not constant by $what")(assert(Equalities.constants(predicate).isEmpty))

  test("a projection's names of a column") {
    val list = Seq(a, Alias(a, "again")(), Alias(Add(b, Literal(1)), "more")(), Alias(c, "other")())
    val names = new Renaming(list)
    val Seq(again, _, other) = list.tail.map(_.exprId)
    assert(names.all(Set(a.exprId, b.exprId)) == Set(a.exprId, again))
    assert(names.each(Set(a.exprId, c.exprId)).contains(Set(a.exprId, other)))
    assert(names.each(Set(a.exprId, b.exprId)).isEmpty)
    assert(names.copies == Seq(a.exprId -> again))
  }
}
