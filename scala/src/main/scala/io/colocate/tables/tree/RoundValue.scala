package io.colocate.tables.tree

import java.util.Arrays

import org.apache.spark.sql.types.Decimal
import org.apache.spark.unsafe.types.UTF8String

/**
 * The roundest value of an interval: the number that ends in the most zeros in binary; for texts and
 * bytes the shortest value, whose last byte ends in the most zeros.
 *
 * {{{
 *   (1 000 000, 1 060 000]  =>  1 048 576         (order-17, order-71]  =>  order-4
 *   (1 010 000, 1 070 000]  =>  1 048 576         (order-20, order-68]  =>  order-4
 * }}}
 *
 * So two tables that are cut between their quartiles, each by its own sample, are mostly cut at the same
 * values. All types that can be cut have such values, except BOOLEAN and floating-point numbers.
 */
private[tree] object RoundValue {

  /**
   * @param above the lower end of the interval, excluded
   * @param upTo  the upper end, included; both as an InternalRow stores them
   */
  def apply(above: Any, upTo: Any): Option[Any] = (above, upTo) match {
    case (a: Long, b: Long) => Some(between(a, b).toLong)
    case (a: Int, b: Int) => Some(between(a, b).toInt)
    case (a: Short, b: Short) => Some(between(a.toInt, b.toInt).toShort)
    case (a: Byte, b: Byte) => Some(between(a.toInt, b.toInt).toByte)
    case (a: Decimal, b: Decimal) =>
      val unscaled = between(a.toJavaBigDecimal.unscaledValue, b.toJavaBigDecimal.unscaledValue)
      Some(Decimal(BigDecimal(unscaled, b.scale), b.precision, b.scale))
    case (a: Array[Byte], b: Array[Byte]) => Some(between(a, b))
    case (a: UTF8String, b: UTF8String) =>
      Some(UTF8String.fromBytes(between(a.getBytes, b.getBytes))).filter(_.isValid)
    case _ => None
  }

  /** Both ends begin with the same bits; the first different bit is 1 in the upper end, or is the sign. */
  private def between(above: BigInt, upTo: BigInt): BigInt =
    if (above < 0 && upTo >= 0) 0
    else {
      val zeros = (above ^ upTo).bitLength - 1
      upTo >> zeros << zeros
    }

  /** The beginning that both share, and one byte of the upper end, as round as possible. */
  private def between(above: Array[Byte], upTo: Array[Byte]): Array[Byte] = {
    val common = Arrays.mismatch(above, upTo)
    val least = above.lift(common).fold(0)(java.lang.Byte.toUnsignedInt)
    val most = java.lang.Byte.toUnsignedInt(upTo(common))
    upTo.take(common) :+ (if (least == most) most else between(least, most).toInt).toByte
  }
}
