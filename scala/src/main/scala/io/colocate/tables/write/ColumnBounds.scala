package io.colocate.tables.write

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable
import io.colocate.tables.format.ColumnStats
import io.colocate.tables.tree.Prefix

/**
 * The smallest and the greatest value of a column in the rows seen so far, and how many of these have none.
 *
 * Rows come one by one while a file is written, so nothing is boxed. NaN is counted and kept out of the
 * bounds: otherwise one NaN would extend every file's range to the greatest value there is. For long
 * texts and bytes a prefix is kept, raised for the greatest value, so that the bounds stay valid.
 */
abstract private[colocate] class ColumnBounds(ordinal: Int) extends Serializable {

  private var nullCount = 0L

  final def update(row: InternalRow): Unit =
    if (row.isNullAt(ordinal)) nullCount += 1 else add(row)

  protected def add(row: InternalRow): Unit

  protected def nans: Long = 0L

  /** Bytes of the values, if the type has no fixed length and the rows show it. */
  protected def length: Long = 0L

  /** Whether any row had a value that is not NaN. */
  protected def any: Boolean

  /** None if no row has a value, or if the log cannot store it. */
  protected def min: Option[Any]
  protected def max: Option[Any]

  final def result: ColumnStats = {
    val (least, most) = (min, max)
    ColumnStats(least, most, nullCount, nans,
      bounded = least.isDefined == any && most.isDefined == any, length)
  }
}

private[colocate] object ColumnBounds {

  def of(dataType: DataType, ordinal: Int): ColumnBounds = dataType match {
    case other if !Orderable(other) => NoBounds(other, ordinal)
    case BooleanType => new LongBounds(ordinal, r => if (r.getBoolean(ordinal)) 1 else 0, _ == 1L)
    case ByteType => new LongBounds(ordinal, _.getByte(ordinal).toLong, _.toByte)
    case ShortType => new LongBounds(ordinal, _.getShort(ordinal).toLong, _.toShort)
    case IntegerType | DateType => new LongBounds(ordinal, _.getInt(ordinal).toLong, _.toInt)
    case LongType | TimestampType | TimestampNTZType =>
      new LongBounds(ordinal, _.getLong(ordinal), identity)
    case FloatType => new DoubleBounds(ordinal, _.getFloat(ordinal).toDouble, _.toFloat)
    case DoubleType => new DoubleBounds(ordinal, _.getDouble(ordinal), identity)
    case d: DecimalType if d.precision <= Decimal.MAX_LONG_DIGITS =>
      new LongBounds(ordinal, _.getDecimal(ordinal, d.precision, d.scale).toUnscaledLong,
        Decimal(_, d.precision, d.scale))
    case d: DecimalType => new WideDecimalBounds(ordinal, d)
    case _: StringType => new TextBounds(ordinal)
    case BinaryType => new BinaryBounds(ordinal)
    case other => NoBounds(other, ordinal)
  }
}

/** For types without an order: counts NULLs and bytes. */
final private class NoBounds(ordinal: Int, varies: Boolean) extends ColumnBounds(ordinal) {
  private var bytes = 0L

  override protected def add(row: InternalRow): Unit = row match {
    // The upper half is where a value begins, the lower half its length in bytes.
    case unsafe: UnsafeRow if varies => bytes += unsafe.getLong(ordinal).toInt
    case _ =>
  }

  override protected def length: Long = bytes
  override protected def any: Boolean = true
  override protected def min: Option[Any] = None
  override protected def max: Option[Any] = None
}

private object NoBounds {
  def apply(dataType: DataType, ordinal: Int): NoBounds =
    new NoBounds(ordinal, varies = !UnsafeRow.isFixedLength(dataType))
}

/** For types whose values a long can hold. */
final private class LongBounds(ordinal: Int, get: LongBounds.Get, back: Long => Any)
    extends ColumnBounds(ordinal) {
  private var (least, most) = (Long.MaxValue, Long.MinValue)
  private var some = false

  override protected def add(row: InternalRow): Unit = {
    val value = get(row)
    some = true
    if (value < least) least = value
    if (value > most) most = value
  }

  override protected def any: Boolean = some
  override protected def min: Option[Any] = Option.when(some)(back(least))
  override protected def max: Option[Any] = Option.when(some)(back(most))
}

private object LongBounds {

  /** A function that is known not to box. */
  trait Get extends Serializable { def apply(row: InternalRow): Long }
}

final private class DoubleBounds(ordinal: Int, get: DoubleBounds.Get, back: Double => Any)
    extends ColumnBounds(ordinal) {
  private var (least, most) = (Double.PositiveInfinity, Double.NegativeInfinity)
  private var nanCount = 0L
  private var some = false

  override protected def add(row: InternalRow): Unit = {
    val value = get(row)
    if (value.isNaN) nanCount += 1
    else {
      some = true
      if (value < least) least = value
      if (value > most) most = value
    }
  }

  override protected def nans: Long = nanCount
  override protected def any: Boolean = some
  override protected def min: Option[Any] = Option.when(some)(back(least))
  override protected def max: Option[Any] = Option.when(some)(back(most))
}

private object DoubleBounds {
  trait Get extends Serializable { def apply(row: InternalRow): Double }
}

/** Decimals of more than 18 digits. */
final private class WideDecimalBounds(ordinal: Int, dataType: DecimalType)
    extends ColumnBounds(ordinal) {
  private var least: Decimal = _
  private var most: Decimal = _

  override protected def add(row: InternalRow): Unit = {
    val value = row.getDecimal(ordinal, dataType.precision, dataType.scale)
    if (least == null || value.compare(least) < 0) least = value.clone()
    if (most == null || value.compare(most) > 0) most = value.clone()
  }

  override protected def any: Boolean = least != null
  override protected def min: Option[Any] = Option(least)
  override protected def max: Option[Any] = Option(most)
}

final private class TextBounds(ordinal: Int) extends ColumnBounds(ordinal) {
  private var bytes = 0L
  private var least: UTF8String = _
  private var most: UTF8String = _

  override protected def add(row: InternalRow): Unit = {
    val value = row.getUTF8String(ordinal)
    bytes += value.numBytes
    if (least == null || value.binaryCompare(least) < 0) least = value.copy()
    if (most == null || value.binaryCompare(most) > 0) most = value.copy()
  }

  override protected def any: Boolean = least != null
  override protected def length: Long = bytes
  override protected def min: Option[Any] = Option(least).flatMap(Prefix.below)
  override protected def max: Option[Any] = Option(most).flatMap(Prefix.above)
}

final private class BinaryBounds(ordinal: Int) extends ColumnBounds(ordinal) {
  private var bytes = 0L
  private var least: Array[Byte] = _
  private var most: Array[Byte] = _

  override protected def add(row: InternalRow): Unit = {
    val value = row.getBinary(ordinal)
    bytes += value.length
    if (least == null || Arrays.compareUnsigned(value, least) < 0) least = value.clone()
    if (most == null || Arrays.compareUnsigned(value, most) > 0) most = value.clone()
  }

  override protected def any: Boolean = least != null
  override protected def length: Long = bytes
  override protected def min: Option[Any] = Option(least).map(Prefix.below)
  override protected def max: Option[Any] = Option(most).flatMap(Prefix.above)
}
