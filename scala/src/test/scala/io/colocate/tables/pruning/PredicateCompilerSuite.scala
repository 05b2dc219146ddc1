package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/**
 * Each kind of predicate, over whole numbers, flags and NULL.
 *
 * {{{
 *   build/sbt "scala/testOnly *PruningSuite"
 * }}}
 */
class PredicateCompilerSuite extends PruningTable {

  private val ints = file("i" -> Seq(3, 5, null, 9), "j" -> Seq(10, 11, 12, 9))
  private val i = col("i")
  private val j = col("j")
  private val noNull = file("i" -> Seq(3, 5, 9))
  private val onlyNull = file("i" -> Seq(null, null), "s" -> Seq(null, null))
  private val one = file("i" -> Seq(4, 4))

  on("equal", ints).prunes(EqualTo(i, lit(2))).keeps(EqualTo(i, lit(4)))
  on("equal, constant first", ints).prunes(EqualTo(lit(10), i)).keeps(EqualTo(lit(9), i))
  on("less", ints).prunes(LessThan(i, lit(3))).keeps(LessThan(i, lit(4)))
  on("less or equal", ints).prunes(LessThanOrEqual(i, lit(2))).keeps(LessThanOrEqual(i, lit(3)))
  on("greater", ints).prunes(GreaterThan(i, lit(9))).keeps(GreaterThan(i, lit(8)))
  on("greater or equal", ints)
    .prunes(GreaterThanOrEqual(i, lit(10)))
    .keeps(GreaterThanOrEqual(i, lit(9)))
  on("greater, constant first", ints).prunes(GreaterThan(lit(3), i)).keeps(GreaterThan(lit(4), i))
  on("NULL compared", ints)
    .prunes(EqualTo(i, Literal(null, IntegerType)))
    .keeps(EqualNullSafe(i, Literal(null, IntegerType)))
  on("null-safe equal", noNull)
    .prunes(EqualNullSafe(i, Literal(null, IntegerType)))
    .keeps(EqualNullSafe(i, lit(5)))
  on("not null-safe equal", one)
    .prunes(Not(EqualNullSafe(i, lit(4))))
    .keeps(Not(EqualNullSafe(i, lit(5))))
  on("not equal", one).prunes(Not(EqualTo(i, lit(4)))).keeps(Not(EqualTo(i, lit(5))))
  on("not less", ints).prunes(Not(LessThan(i, lit(10)))).keeps(Not(LessThan(i, lit(9))))

  on("column against column", ints).prunes(GreaterThan(i, j)).keeps(GreaterThanOrEqual(j, i))
  on("column equal to column", file("i" -> Seq(1, 2), "j" -> Seq(3, 4)))
    .prunes(EqualTo(i, j))
    .keeps(LessThan(i, j))
  on("columns that only touch", file("i" -> Seq(1, 3), "j" -> Seq(3, 4)))
    .prunes(GreaterThan(i, j))
    .keeps(EqualTo(i, j))

  private def orError(value: Expression): Expression =
    CaseWhen(Seq((IsNull(i), Cast(new RaiseError(lit("no i")), value.dataType))), Some(value))
  private val wide = Cast(i, LongType)
  on("a value that must be there", noNull)
    .prunes(GreaterThan(orError(i), lit(9)))
    .keeps(GreaterThan(orError(i), lit(8)))
  on("a wider value that must be there", noNull)
    .prunes(LessThan(orError(wide), Literal(3L)))
    .keeps(LessThan(orError(wide), Literal(4L)))
  private val error = Cast(new RaiseError(lit("no i")), IntegerType)
  on("a value or else an error", noNull)
    .prunes(GreaterThan(Coalesce(Seq(i, error)), lit(9)))
    .keeps(GreaterThan(Coalesce(Seq(i, lit(99))), lit(9)))
  on("a value if it is there", noNull)
    .prunes(GreaterThan(If(IsNotNull(i), i, error), lit(9)))
    .keeps(GreaterThan(If(IsNull(i), lit(99), i), lit(9)))
  on("a value that must be there, and is not in each row", ints)
    .prunes(GreaterThan(i, lit(9)))
    .keeps(GreaterThan(orError(i), lit(9)))
  on("an error for want of another column", ints)
    .prunes(GreaterThan(i, lit(9)))
    .keeps(GreaterThan(If(IsNull(j), error, i), lit(9)))

  on("in", ints)
    .prunes(In(i, Seq(lit(1), lit(2), lit(10))))
    .keeps(In(i, Seq(lit(1), lit(4), lit(10))))
  on("in set", ints).prunes(InSet(i, Set[Any](1, 2, 10))).keeps(InSet(i, Set[Any](1, 9, 10)))
  on("not in", one).prunes(Not(In(i, Seq(lit(4), lit(7))))).keeps(Not(In(i, Seq(lit(5), lit(7)))))
  on("not in, with NULL in the list", ints)
    .prunes(Not(In(i, Seq(lit(100), Literal(null, IntegerType)))))
    .keeps(Not(In(i, Seq(lit(100)))))
  on("not in an empty list", file("i" -> Seq(null))).prunes(In(i, Nil)).keeps(Not(In(i, Nil)))

  on("is null", noNull).prunes(IsNull(i)).keeps(IsNotNull(i))
  on("is not null", onlyNull).prunes(IsNotNull(i)).keeps(IsNull(i))
  on("at least n values", file("i" -> Seq(null, null), "j" -> Seq(1, null)))
    .prunes(AtLeastNNonNulls(2, Seq(i, j)))
    .keeps(AtLeastNNonNulls(1, Seq(i, j)))

  private val flag = col("b")
  on("boolean column", file("b" -> Seq(false, null))).prunes(flag).keeps(Not(flag))
  on("not of a boolean column", file("b" -> Seq(true, null))).prunes(Not(flag)).keeps(flag)
  on("constants", noNull).prunes(Literal.FalseLiteral).keeps(Literal.TrueLiteral)
  on("NULL as a predicate", noNull)
    .prunes(Literal(null, BooleanType))
    .keeps(Or(Literal(null, BooleanType), EqualTo(i, lit(5))))

  private val outside = EqualTo(i, lit(2))
  private val inside = EqualTo(i, lit(5))
  on("and", ints).prunes(And(inside, outside)).keeps(And(inside, EqualTo(j, lit(12))))
  on("or", ints).prunes(Or(outside, EqualTo(j, lit(13)))).keeps(Or(outside, EqualTo(j, lit(12))))
  on("not of or", one)
    .prunes(Not(Or(EqualTo(i, lit(4)), EqualTo(j, lit(1)))))
    .keeps(Not(Or(EqualTo(i, lit(5)), IsNotNull(j))))
  on("not of and", file("i" -> Seq(4), "j" -> Seq(1)))
    .prunes(Not(And(EqualTo(i, lit(4)), EqualTo(j, lit(1)))))
    .keeps(Not(And(EqualTo(i, lit(4)), EqualTo(j, lit(2)))))

  on("not deterministic", ints).prunes(outside).keeps(And(LessThan(Rand(1L), lit(-1.0)), inside))
  on("a constant that cannot be evaluated", ints)
    .prunes(outside)
    .keeps(EqualTo(i, Cast(Divide(lit(1.0), lit(0.0)), IntegerType)))
}
