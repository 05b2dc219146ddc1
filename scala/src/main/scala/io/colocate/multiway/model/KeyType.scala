package io.colocate.multiway.model

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.catalyst.util.CollationFactory
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.EqualBits

/**
 * How values of a type become keys: numbers or texts whose order and equality are those that Spark's
 * `<` and `=` give the values. NaN equals NaN and is the largest, -0.0 equals 0.0.
 */
sealed private[multiway] trait KeyType {

  /** Puts the value of a key back into a row; only for types whose equal keys have equal bits. */
  def set(row: InternalRow, ordinal: Int, key: Any): Unit
}

sealed abstract private[multiway] class NumberKey extends KeyType {
  def get(row: SpecializedGetters, ordinal: Int): Long
  def setNumber(row: InternalRow, ordinal: Int, key: Long): Unit

  final override def set(row: InternalRow, ordinal: Int, key: Any): Unit =
    setNumber(row, ordinal, key.asInstanceOf[Long])
}

sealed abstract private[multiway] class TextKey extends KeyType {
  def get(row: SpecializedGetters, ordinal: Int): UTF8String
}

private[multiway] object KeyType {

  /** None for a type that cannot be a key: nested ones, and texts with a collation. */
  def of(dataType: DataType): Option[KeyType] = dataType match {
    case BooleanType => Some(Booleans)
    case ByteType => Some(Bytes)
    case ShortType => Some(Shorts)
    case IntegerType | DateType => Some(Ints)
    case LongType | TimestampType | TimestampNTZType => Some(Longs)
    case FloatType => Some(Floats)
    case DoubleType => Some(Doubles)
    case d: DecimalType if d.precision <= Decimal.MAX_LONG_DIGITS => Some(new SmallDecimals(d))
    case d: DecimalType => Some(new LargeDecimals(d))
    case s: StringType if comparesBytes(s) => Some(Texts)
    case BinaryType => Some(Binaries)
    case _ => None
  }

  private def comparesBytes(text: StringType): Boolean = {
    val collation = CollationFactory.fetchCollation(text.collationId)
    collation.supportsBinaryEquality && collation.supportsBinaryOrdering
  }

  def orThrow(dataType: DataType): KeyType = of(dataType).getOrElse(
    throw new IllegalArgumentException(s"values of ${dataType.sql} cannot be keys"))

  /** True if equal keys have equal bits, so that one can replace the other. */
  def exact(dataType: DataType): Boolean = EqualBits(dataType) && of(dataType).isDefined

  private object Booleans extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = if (row.getBoolean(i)) 1 else 0
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = row.setBoolean(i, key == 1)
  }

  private object Bytes extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = row.getByte(i)
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = row.setByte(i, key.toByte)
  }

  private object Shorts extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = row.getShort(i)
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = row.setShort(i, key.toShort)
  }

  private object Ints extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = row.getInt(i)
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = row.setInt(i, key.toInt)
  }

  private object Longs extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = row.getLong(i)
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = row.setLong(i, key)
  }

  /** Adding 0.0 turns -0.0 into 0.0. The bits of negative numbers fall as they rise, so they are flipped. */
  private object Doubles extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = {
      val bits = java.lang.Double.doubleToLongBits(row.getDouble(i) + 0.0)
      bits ^ ((bits >> 63) & Long.MaxValue)
    }
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = inexact()
  }

  private object Floats extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long = {
      val bits = java.lang.Float.floatToIntBits(row.getFloat(i) + 0.0f)
      bits ^ ((bits >> 31) & Int.MaxValue)
    }
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit = inexact()
  }

  final private class SmallDecimals(d: DecimalType) extends NumberKey {
    override def get(row: SpecializedGetters, i: Int): Long =
      row.getDecimal(i, d.precision, d.scale).toUnscaledLong
    override def setNumber(row: InternalRow, i: Int, key: Long): Unit =
      row.setDecimal(i, Decimal(key, d.precision, d.scale), d.precision)
  }

  private object Texts extends TextKey {
    override def get(row: SpecializedGetters, i: Int): UTF8String = row.getUTF8String(i)
    override def set(row: InternalRow, i: Int, key: Any): Unit = row.update(i, key)
  }

  private object Binaries extends TextKey {
    override def get(row: SpecializedGetters, i: Int): UTF8String =
      UTF8String.fromBytes(row.getBinary(i))
    override def set(row: InternalRow, i: Int, key: Any): Unit =
      row.update(i, key.asInstanceOf[UTF8String].getBytes)
  }

  /** The unscaled number in 16 bytes, the sign bit inverted, so that bytes have the order of numbers. */
  final private class LargeDecimals(d: DecimalType) extends TextKey {
    override def get(row: SpecializedGetters, i: Int): UTF8String = {
      val number = row.getDecimal(i, d.precision, d.scale).toJavaBigDecimal
        .setScale(d.scale).unscaledValue.toByteArray
      val bytes = new Array[Byte](16)
      java.util.Arrays.fill(bytes, 0, 16 - number.length, (number(0) >> 7).toByte)
      System.arraycopy(number, 0, bytes, 16 - number.length, number.length)
      bytes(0) = (bytes(0) ^ 0x80).toByte
      UTF8String.fromBytes(bytes)
    }

    override def set(row: InternalRow, i: Int, key: Any): Unit = {
      val bytes = key.asInstanceOf[UTF8String].getBytes.clone
      bytes(0) = (bytes(0) ^ 0x80).toByte
      val value = new java.math.BigDecimal(new java.math.BigInteger(bytes), d.scale)
      row.setDecimal(i, Decimal(value, d.precision, d.scale), d.precision)
    }
  }

  private def inexact(): Nothing =
    throw new IllegalStateException("a key of this type does not tell its value")
}
