package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * Floating numbers, texts, and types without an order.
 *
 * {{{
 *   build/sbt "scala/testOnly *PruningTypesSuite"
 * }}}
 */
class PruningTypesSuite extends PruningTable {

  private val d = col("d")
  private val f = col("f")
  private val numbers = file("d" -> Seq(1.5, -0.0), "f" -> Seq(1.5f, 2.5f))
  private val withNaN = file("d" -> Seq(1.5, Double.NaN), "f" -> Seq(Float.NaN, null))
  on("zero's sign", file("d" -> Seq(-0.0, -0.0)))
    .prunes(Not(EqualTo(d, lit(0.0))))
    .keeps(EqualTo(d, lit(0.0)))
  on("NaN is above all", numbers)
    .prunes(GreaterThan(d, lit(1.5)))
    .keeps(LessThan(d, lit(Double.NaN)))
  on("NaN equals itself", numbers)
    .prunes(EqualTo(d, lit(Double.NaN)))
    .keeps(Not(EqualTo(d, lit(Double.NaN))))
  on("NaN in the file is above all", withNaN)
    .prunes(LessThan(d, lit(1.5)))
    .keeps(GreaterThan(d, lit(1e300)))
  on("nothing is above NaN", withNaN)
    .prunes(GreaterThan(d, lit(Double.NaN)))
    .keeps(GreaterThanOrEqual(d, lit(Double.NaN)))
  on("nothing but NaN", withNaN)
    .prunes(LessThan(f, lit(Float.NaN)))
    .keeps(EqualTo(f, lit(Float.NaN)))
  on("NaN in a list", withNaN).prunes(In(d, Seq(lit(2.5)))).keeps(In(d, Seq(lit(Double.NaN))))
  on("NaN is FALSE for Spark's InSet even with NULL in it", file("d" -> Seq(1.5, Double.NaN)))
    .prunes(InSet(d, Set[Any](2.5, null)))
    .keeps(Not(InSet(d, Set[Any](2.5, null))))
  on("isnan", numbers).prunes(IsNaN(d)).keeps(Not(IsNaN(d)))
  on("isnan of NULL and NaN", withNaN)
    .prunes(And(IsNaN(f), LessThan(f, lit(1f))))
    .keeps(Not(IsNaN(f)))

  private val s = col("s")
  private val texts = file("s" -> Seq("berlin", "bern", null), "t" -> Seq("z", "\u00e9", "a"))
  on("starts with", texts).prunes(StartsWith(s, lit("c"))).keeps(StartsWith(s, lit("berl")))
  on("starts with, prefix above and below", texts)
    .prunes(StartsWith(s, lit("bero")))
    .keeps(StartsWith(s, lit("berm")))
  on("starts with, longer than the ends", texts)
    .prunes(StartsWith(s, lit("berna")))
    .keeps(StartsWith(s, lit("berlina")))
  on("does not start with", texts)
    .prunes(Not(StartsWith(s, lit("ber"))))
    .keeps(Not(StartsWith(s, lit("berl"))))
  on("starts with NULL", texts)
    .prunes(StartsWith(s, Literal(null, StringType)))
    .keeps(StartsWith(s, lit("")))
  on("texts by bytes, not by letters", texts)
    .prunes(GreaterThan(col("t"), lit("\u00ea")))
    .keeps(GreaterThan(col("t"), lit("z")))
  private val ff = UTF8String.fromBytes(Array[Byte](-1, -1))
  on("a prefix after which there is no text", file("s" -> Seq("a", "b")))
    .prunes(StartsWith(s, Literal(ff, StringType)))
    .keeps(Not(StartsWith(s, Literal(ff, StringType))))
  on("binary by unsigned bytes", file("bin" -> Seq(Array[Byte](1), Array[Byte](-128))))
    .prunes(GreaterThan(col("bin"), Literal(Array[Byte](-127))))
    .keeps(GreaterThan(col("bin"), Literal(Array[Byte](127))))

  on("a collation without case", file("s" -> Seq("B"), "lcase" -> Seq("B")))
    .prunes(EqualTo(s, lit("b")))
    .keeps(EqualTo(col("lcase"), Literal.create("b", StringType("UTF8_LCASE"))))
  on("an array has NULLs but no order", file("list" -> Seq(null), "i" -> Seq(1)))
    .prunes(IsNotNull(col("list")))
    .keeps(EqualTo(col("list"), Literal.create(Seq(1), ArrayType(IntegerType))))
  on("unknown functions", texts)
    .prunes(And(StartsWith(s, lit("c")), EqualTo(Upper(s), lit("C"))))
    .keeps(EqualTo(Upper(s), lit("C")))
}
