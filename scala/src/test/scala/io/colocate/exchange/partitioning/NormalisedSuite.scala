package io.colocate.exchange.partitioning

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.exchange.partitioning.claims.Normalised

/** A column is hashed to the partition of what a join compares in its place, in Spark's own code. */
class NormalisedSuite extends AnyFunSuite {

  private val random = new Random(11)

  private def partition(expression: Expression, value: Any): Int = {
    val id = HashPartitioning(Seq(expression), 199).partitionIdExpression
    UnsafeProjection.create(Seq(id))(InternalRow(value)).getInt(0)
  }

  private def check(dataType: DataType, values: Seq[Any]): Unit = {
    assert(Normalised.applies(dataType))
    val column = BoundReference(0, dataType, nullable = true)
    for (value <- null +: values)
      assert(partition(column, value) == partition(Normalised.compared(column), value), s"$value")
  }

  test("doubles: every kind of NaN, both zeros, any bits") {
    val special = Seq(0.0, -0.0, Double.NaN, java.lang.Double.longBitsToDouble(0x7ff8000000000001L),
      java.lang.Double.longBitsToDouble(0xfff0000000000123L), Double.MinPositiveValue)
    check(DoubleType,
      special ++ Seq.fill(2000)(java.lang.Double.longBitsToDouble(random.nextLong())))
  }

  test("floats: every kind of NaN, both zeros, any bits") {
    val special = Seq(0.0f, -0.0f, Float.NaN, java.lang.Float.intBitsToFloat(0x7fc00001))
    check(FloatType, special ++ Seq.fill(2000)(java.lang.Float.intBitsToFloat(random.nextInt())))
  }

  for (collation <- Seq("UTF8_LCASE", "UNICODE", "UNICODE_CI", "UNICODE_AI", "UNICODE_CI_AI",
      "de_CI", "tr_CI", "sv", "ja_AI", "UTF8_BINARY_RTRIM", "UTF8_LCASE_RTRIM", "UNICODE_CI_RTRIM"))
    test(s"texts with the collation $collation") {
      val letters = "aAbBKkſKßẞİıiIÅåÄäあアｱ e\u0301é \u0000"
      val texts =
        Seq.fill(500)(Seq.fill(random.nextInt(5))(letters(random.nextInt(letters.length))).mkString)
      check(StringType(collation), (texts :+ "abc  ").map(UTF8String.fromString))
    }

  test("what is compared by its bits is left alone") {
    for (other <- Seq(StringType, IntegerType, DecimalType(10, 2), ArrayType(DoubleType)))
      assert(!Normalised.applies(other))
  }
}
