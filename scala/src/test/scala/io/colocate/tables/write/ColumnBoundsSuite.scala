package io.colocate.tables.write

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable
import io.colocate.fuzz.Dice
import io.colocate.tables.format.ColumnStats
import io.colocate.tables.pruning.RandomRows

class ColumnBoundsSuite extends AnyFunSuite {

  private def stats(dataType: DataType, values: Any*): ColumnStats = {
    val bounds = ColumnBounds.of(dataType, 0)
    values.foreach(value => bounds.update(InternalRow(value)))
    bounds.result
  }

  private def text(s: String): UTF8String = UTF8String.fromString(s)

  private def isNaN(value: Any): Boolean = value match {
    case d: Double => d.isNaN
    case f: Float => f.isNaN
    case _ => false
  }

  test("bounds enclose random values of every type, and are among them where they are short") {
    var bounded = 0
    for (seed <- 0 until 200; (field, i) <- RandomRows.schema.zipWithIndex) {
      val values = new RandomRows(new Dice(seed.toLong)).rows().map(_(i))
      val found = stats(field.dataType, values: _*)
      val present = values.filter(v => v != null && !isNaN(v))
      assert(found.nulls == values.count(_ == null))
      assert(found.nans == values.count(isNaN))
      assert(found.bounded && found.min.isDefined == present.nonEmpty)
      if (present.nonEmpty) {
        val ordering = Orderable.ordering(field.dataType)
        assert(ordering.equiv(found.min.get, present.min(ordering)), s"$field $values")
        assert(ordering.equiv(found.max.get, present.max(ordering)), s"$field $values")
        bounded += 1
      }
    }
    assert(bounded > 1000)
  }

  test("NaN is counted, and is no bound") {
    assert(stats(DoubleType, 1.0, Double.NaN, -2.0) ==
      ColumnStats(Some(-2.0), Some(1.0), nulls = 0, nans = 1, bounded = true))
    assert(stats(FloatType, Float.NaN) == ColumnStats(None, None, 0, 1, bounded = true))
  }

  test("of long texts a prefix is kept, that of the greatest raised") {
    val long = "x" * 100
    val found = stats(StringType, text(long), text("y" * 100))
    assert(found.min.contains(text("x" * 64)) && found.max.contains(text("y" * 63 + "z")))
  }

  test("a text above which there is nothing has no upper bound") {
    val last = new String(Character.toChars(Character.MAX_CODE_POINT)) * 100
    val found = stats(StringType, text(last))
    assert(found.min.isDefined && found.max.isEmpty && !found.bounded)
  }

  test("bytes that are no text leave the column unbounded") {
    val invalid = UTF8String.fromBytes(Array[Byte](-1, -2))
    val found = stats(StringType, text("a"), invalid)
    assert(!found.bounded && found.max.isEmpty)
  }

  test("the bytes of values without a fixed length are counted") {
    assert(stats(StringType, text("ab"), null, text("cde")).length == 5)
    assert(stats(BinaryType, Array[Byte](1, 2), null).length == 2)
    assert(stats(LongType, 5L, null).length == 0)
    val lists = ArrayType(IntegerType)
    val rows = Seq(Seq(1), Seq(1, 2, 3)).map { list =>
      UnsafeProjection.create(Array[DataType](lists))
        .apply(InternalRow(new GenericArrayData(list)))
    }
    val bounds = ColumnBounds.of(lists, 0)
    rows.foreach(bounds.update)
    assert(bounds.result.length == rows.map(_.getArray(0).getSizeInBytes).sum)
    // Rows of another form do not tell.
    assert(stats(lists, new GenericArrayData(Seq(1))).length == 0)
  }

  test("of types without an order NULLs are counted") {
    val list = ArrayType(IntegerType)
    assert(stats(list, null, null) == ColumnStats(None, None, 2, 0, bounded = false))
    assert(!stats(StringType("UTF8_LCASE"), text("a")).bounded)
  }
}
