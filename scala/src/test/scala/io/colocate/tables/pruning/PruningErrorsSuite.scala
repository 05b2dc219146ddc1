package io.colocate.tables.pruning

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/**
 * Pruning hides no error that Spark would have raised.
 *
 * {{{
 *   build/sbt "scala/testOnly *PruningErrorsSuite"
 * }}}
 */
class PruningErrorsSuite extends AnyFunSuite with ReadTestBase {

  private val ints = file("i" -> Seq(3, 5), "j" -> Seq(10, 0))
  private val outside = EqualTo(col("i"), lit(2))
  private val apart = GreaterThan(col("i"), lit(100))
  private val columns = GreaterThan(col("l"), Cast(col("i"), LongType))
  private val high = file("i" -> Seq(3, 5), "l" -> Seq(1L, 2L), "j" -> Seq(0, 1))

  /** Raises an error on j = 0. */
  private val division =
    GreaterThan(IntegralDivide(Cast(lit(1), LongType), Cast(col("j"), LongType)), lit(0L))

  test("a conjunct before one that may fail") {
    assert(pruned(high, columns, division))
    assert(pruned(ints, apart, division))
  }

  test("a conjunct behind one that may fail prunes if the reader could skip by it") {
    assert(pruned(ints, division, outside))
    assert(!pruned(high, division, columns))
    assert(prune(Seq(high), division, columns).conjuncts.map(_.whyKept) == Seq(
      Some(WhyKept.NotSupported("integraldivide")), Some(WhyKept.BehindError)))
  }

  test("a conjunct behind one that may fail prunes the files on whose rows that one cannot") {
    val error = Cast(new RaiseError(lit("no j")), IntegerType)
    val present = LessThan(Coalesce(Seq(col("j"), error)), lit(100))
    val missing = file("i" -> Seq(3, 5), "l" -> Seq(1L, 2L), "j" -> Seq(0, null))
    assert(pruned(high, present, columns))
    assert(!pruned(missing, present, columns))
    assert(prune(Seq(high, missing), present, columns).kept == Seq(1))
    assert(prune(Seq(missing), present, columns).conjuncts.map(_.whyKept) == Seq(
      Some(WhyKept.NoneRuledOut), Some(WhyKept.BehindError)))
  }

  test("within a conjunct the order of evaluation counts") {
    val never = EqualTo(col("j"), lit(100))
    assert(pruned(ints, Or(And(outside, division), never)))
    assert(!pruned(ints, Or(And(division, outside), never)))
    assert(pruned(ints, Not(Or(Not(outside), division))))
    assert(!pruned(ints, Not(Or(division, Not(outside)))))
  }

  test("NULL does not stop an AND") {
    val withNull = file("i" -> Seq(3, null), "j" -> Seq(10, 0))
    val never = EqualTo(col("j"), lit(100))
    assert(!pruned(withNull, Or(And(outside, division), never)))
  }

  test("a date beyond timestamps fails, so its file stays") {
    val cast = Cast(col("day"), TimestampType, Some("UTC"))
    val before = LessThan(cast, Literal(0L, TimestampType))
    assert(pruned(file("day" -> Seq(1, 2)), before))
    assert(!pruned(file("day" -> Seq(1, Int.MaxValue)), before))
    assert(pruned(file("day" -> Seq(null)), before))
  }
}
