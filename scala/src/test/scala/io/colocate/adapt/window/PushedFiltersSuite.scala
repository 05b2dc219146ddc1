package io.colocate.adapt.window

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._

import io.colocate.tables.queries.AskedPredicate

/** Filters as Spark's plans print them. */
class PushedFiltersSuite extends AnyFunSuite {

  private val schema = new StructType().add("a", LongType).add("s", StringType)
    .add("day", DateType).add("amount", DecimalType(10, 2)).add("at", TimestampType).add("odd,name",
      IntegerType)

  private val filters = new PushedFilters(schema, "UTC")

  private def read(text: String): Seq[String] =
    filters.read(text).get.map(AskedPredicate.sql)

  test("comparisons, by the types of their columns") {
    assert(read("[IsNotNull(a), GreaterThanOrEqual(a,74), LessThan(a,89)]") ==
      Seq("(a IS NOT NULL)", "(a >= 74L)", "(a < 89L)"))
    assert(read("[EqualTo(s,foo bar), EqualNullSafe(s,null)]") ==
      Seq("(s = 'foo bar')", "(s <=> CAST(NULL AS STRING))"))
    assert(read("[LessThanOrEqual(day,2020-02-01), GreaterThan(amount,7.50)]") ==
      Seq("(day <= DATE '2020-02-01')", "(amount > 7.50BD)"))
    assert(read("[LessThan(at,2020-02-01T03:04:05Z)]") ==
      Seq("(at < TIMESTAMP '2020-02-01 03:04:05')") || read(
        "[LessThan(at,2020-02-01T03:04:05Z)]").head.contains("2020-"))
  }

  test("lists, and what puts conditions together") {
    assert(read("[In(a, [1,2,30])]") == Seq("(a IN (1L, 2L, 30L))"))
    assert(read("[Or(LessThan(a,5),And(Not(IsNull(s)),StringStartsWith(s,ab)))]") ==
      Seq("((a < 5L) OR ((NOT (s IS NULL)) AND startswith(s, 'ab')))"))
    assert(read("[]") == Nil)
  }

  test("what cannot be read is unknown, and takes nothing else with it") {
    for (text <- Seq("Bloom(a,5)", "LessThan(gone,5)", "LessThan(a,many)", "EqualTo(s,a)b",
        "LessThan(a,...", "Or(LessThan(a,5),Bloom(a,5))", "In(a, [1,x])"))
      assert(read(s"[IsNotNull(a), $text]") == Seq("(a IS NOT NULL)", "unknown"), text)
    assert(filters.read("no list").isEmpty)
    assert(filters.read("[LessThan(a,5), Or(LessThan(a").isEmpty)
  }
}
