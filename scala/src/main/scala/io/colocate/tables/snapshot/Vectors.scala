package io.colocate.tables.snapshot

import java.util.BitSet

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.types._

/** Numbers by position, 0 if not set. A vector of zeros takes no memory. */
final private[tables] class Longs {

  private var values = Array.emptyLongArray

  def apply(i: Int): Long = if (i < values.length) values(i) else 0L

  def update(i: Int, value: Long): Unit = if (value != 0 || i < values.length) {
    if (i >= values.length)
      values = java.util.Arrays.copyOf(values, (i + 1).max(values.length * 2).max(16))
    values(i) = value
  }

  /** The numbers at these positions, in this order. */
  def gather(positions: Array[Int]): Longs = {
    val gathered = new Longs
    if (values.nonEmpty) gathered.values = positions.map(i => this(i))
    gathered
  }
}

/** Values of one type by position, null if not set. */
sealed private[tables] trait Values {
  def apply(i: Int): Any
  def update(i: Int, value: Any): Unit
  def gather(positions: Array[Int]): Values
}

private[tables] object Values {

  /** Numbers are packed; as objects they would take four times the memory. */
  def of(dataType: DataType): Values = dataType match {
    case BooleanType => new Packed(_ != 0)
    case ByteType => new Packed(_.toByte)
    case ShortType => new Packed(_.toShort)
    case IntegerType | DateType => new Packed(_.toInt)
    case LongType | TimestampType | TimestampNTZType => new Packed(identity[Long])
    case FloatType => new Packed(bits => java.lang.Float.intBitsToFloat(bits.toInt))
    case DoubleType => new Packed(java.lang.Double.longBitsToDouble(_))
    case _ => new Objects(ArrayBuffer.empty)
  }

  final private class Packed(
      unpack: Long => Any,
      bits: Longs = new Longs,
      present: BitSet = new BitSet)
      extends Values {

    override def apply(i: Int): Any = if (present.get(i)) unpack(bits(i)) else null

    override def update(i: Int, value: Any): Unit = {
      present.set(i, value != null)
      bits(i) = value match {
        case null => 0L
        case truth: Boolean => if (truth) 1L else 0L
        case float: Float => java.lang.Float.floatToRawIntBits(float).toLong
        case double: Double => java.lang.Double.doubleToRawLongBits(double)
        case number: Number => number.longValue
      }
    }

    override def gather(positions: Array[Int]): Values =
      new Packed(unpack, bits.gather(positions), Bits.gather(present, positions))
  }

  final private class Objects(values: ArrayBuffer[Any]) extends Values {

    override def apply(i: Int): Any = if (i < values.length) values(i) else null

    override def update(i: Int, value: Any): Unit =
      if (value != null || i < values.length) {
        while (values.length <= i) values += null
        values(i) = value
      }

    override def gather(positions: Array[Int]): Values =
      new Objects(ArrayBuffer.from(positions.iterator.map(i => this(i))))
  }
}

private[tables] object Bits {
  def gather(bits: BitSet, positions: Array[Int]): BitSet = {
    val gathered = new BitSet(positions.length)
    for (i <- positions.indices if bits.get(positions(i))) gathered.set(i)
    gathered
  }
}
