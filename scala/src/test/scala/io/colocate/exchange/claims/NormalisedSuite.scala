package io.colocate.exchange.claims

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.types._

/** A column is hashed to the partition of what a join compares in its place, in Spark's own code. */
class NormalisedSuite extends AnyFunSuite {

  private val random = new Random(11)

  private def partition(expression: Expression): Any => Int = {
    val id = HashPartitioning(Seq(expression), 199).partitionIdExpression
    val project = UnsafeProjection.create(Seq(id))
    value => project(InternalRow(value)).getInt(0)
  }

  private def check(dataType: DataType, values: Seq[Any]): Unit = {
    val column = BoundReference(0, dataType, nullable = true)
    assert(Normalised.isComparedBy(column, Normalised.compared(column)))
    val (here, compared) = (partition(column), partition(Normalised.compared(column)))
    for (value <- null +: values) assert(here(value) == compared(value), s"$value")
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

  test("what is compared by its bits is left alone") {
    for (other <- Seq(StringType, IntegerType, DecimalType(10, 2), ArrayType(DoubleType))) {
      val column = BoundReference(0, other, nullable = true)
      assert(!Normalised.isComparedBy(column, Normalised.compared(column)))
    }
  }
}
