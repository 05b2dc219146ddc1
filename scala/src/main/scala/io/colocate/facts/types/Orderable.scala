package io.colocate.facts.types

import java.util.Base64

import org.apache.spark.sql.catalyst.util.{CollationFactory, TypeUtils}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * The types at whose values a tree can cut: atomic, with one order that Spark's comparisons use.
 *
 * Spark's order is used unchanged: NaN is the greatest, -0.0 equals 0.0, strings compare by their bytes. A
 * string with a collation is not ordered by its bytes, so it is stored but never cut; the same holds for
 * intervals and nested types.
 */
object Orderable {

  def apply(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType => true
    case FloatType | DoubleType | _: DecimalType => true
    case DateType | TimestampType | TimestampNTZType | BinaryType => true
    case s: StringType => CollationFactory.fetchCollation(s.collationId).supportsBinaryOrdering
    case _ => false
  }

  /** Spark's order of the values, as an InternalRow holds them; not for NULL. */
  def ordering(dataType: DataType): Ordering[Any] = TypeUtils.getInterpretedOrdering(dataType)

  /** A value as text that [[read]] turns back into the same value; None if there is no such text. */
  def write(dataType: DataType, value: Any): Option[String] = (dataType, value) match {
    case (_, text: UTF8String) => Some(text).filter(_.isValid).map(_.toString)
    case (_, bytes: Array[Byte]) => Some(Base64.getEncoder.encodeToString(bytes))
    case (_, decimal: Decimal) => Some(decimal.toJavaBigDecimal.toPlainString)
    case (_, other) => Some(other.toString)
  }

  /** @throws IllegalArgumentException if the text is no value of the type */
  def read(dataType: DataType, text: String): Any = dataType match {
    case BooleanType => text.toBoolean
    case ByteType => text.toByte
    case ShortType => text.toShort
    case IntegerType | DateType => text.toInt
    case LongType | TimestampType | TimestampNTZType => text.toLong
    case FloatType => text.toFloat
    case DoubleType => text.toDouble
    case d: DecimalType => Decimal(new java.math.BigDecimal(text), d.precision, d.scale)
    case BinaryType => Base64.getDecoder.decode(text)
    case _: StringType => UTF8String.fromString(text)
    case other => throw new IllegalArgumentException(s"values of ${other.sql} are not ordered")
  }
}
