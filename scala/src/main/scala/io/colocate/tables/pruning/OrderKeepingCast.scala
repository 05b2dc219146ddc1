package io.colocate.tables.pruning

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{BoundReference, Cast, GenericInternalRow}
import org.apache.spark.sql.types._

/**
 * Maps the bounds of a column through a cast.
 *
 * Valid if a <= b implies cast(a) <= cast(b), and no value becomes NULL: the values of the cast are then
 * between the casts of the bounds. Rounding is allowed: the greater of two longs never becomes the
 * lesser double. A value next to an excluded bound may be cast to the same value as the bound, so bounds
 * are included afterwards.
 *
 * A date becomes the first instant of its day, which increases with the date in any zone: an offset
 * never jumps by more than the 24 hours between midnights. Dates beyond the range of timestamps raise an
 * error; unless both bounds are known not to, some row may.
 *
 * Counter-examples: texts to numbers ('10' < '9'); timestamps to dates in the session's zone (where
 * the clock went back at 00:01, as in St. John's until 2011, a later instant has an earlier date);
 * decimals to doubles (the two ways in which Spark holds a decimal round differently).
 */
final class OrderKeepingCast(cast: Cast) {

  private val from = cast.child.dataType
  private val ofInput = cast.copy(child = BoundReference(0, from, nullable = true))

  /** True if no value of the type raises an error. */
  val total: Boolean = from != DateType

  /**
   * True if Spark itself unwraps the cast (UnwrapCastInBinaryComparison) in a comparison with a
   * constant, so that a comparison of the column itself is pushed down to the reader.
   */
  val unwrapped: Boolean = (from, cast.dataType) match {
    case (IntegerType | LongType, FloatType) | (LongType, DoubleType) => false
    case (_: NumericType, _: NumericType) => true
    case _ => false
  }

  def apply(bounds: Bounds): Bounds =
    if (!bounds.mayBeValue) bounds
    else {
      val min = mapped(bounds.min)
      val max = mapped(bounds.max)
      bounds.copy(min = min, minIncluded = true, max = max, maxIncluded = true,
        mayFail = bounds.mayFail || !total && (min == null || max == null))
    }

  private def mapped(value: Any): Any =
    if (value == null) null
    else
      try ofInput.eval(new GenericInternalRow(Array[Any](value)))
      catch { case NonFatal(_) => null }
}

object OrderKeepingCast {

  def apply(cast: Cast): Option[OrderKeepingCast] =
    if (cast.resolved && keepsOrder(cast.child.dataType, cast.dataType))
      Some(new OrderKeepingCast(cast))
    else None

  private def keepsOrder(from: DataType, to: DataType): Boolean = (from, to) match {
    case (Whole(a), Whole(b)) => a <= b
    case (Whole(_), FloatType | DoubleType) => true
    case (Whole(digits), to: DecimalType) => to.precision - to.scale >= digits
    case (from: DecimalType, to: DecimalType) =>
      to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale
    case (FloatType, DoubleType) => true
    case (DateType, TimestampType | TimestampNTZType) => true
    case (TimestampNTZType, DateType) => true
    case _ => false
  }

  /** The most decimal digits of an integer type. */
  private object Whole {
    def unapply(dataType: DataType): Option[Int] = dataType match {
      case ByteType => Some(3)
      case ShortType => Some(5)
      case IntegerType => Some(10)
      case LongType => Some(19)
      case _ => None
    }
  }
}
