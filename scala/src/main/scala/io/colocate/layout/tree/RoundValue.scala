package io.colocate.layout.tree

import org.apache.spark.sql.types.Decimal

/**
 * The roundest value of an interval: the one that ends in most zeros as a binary number.
 *
 * {{{
 *   (1 000 000, 1 060 000]  =>  1 048 576
 *   (1 010 000, 1 070 000]  =>  1 048 576
 * }}}
 *
 * So two tables that are cut between their quartiles, each by a sample of its own, are mostly cut at
 * the same values. Whole numbers, days, times and decimals of up to 18 digits have such values here.
 */
private[tree] object RoundValue {

  /**
   * @param above the interval's end that does not belong to it, below the other one
   * @param upTo  the end that does; both as they stand in an InternalRow
   */
  def apply(above: Any, upTo: Any): Option[Any] = (above, upTo) match {
    case (a: Long, b: Long) => Some(between(a, b))
    case (a: Int, b: Int) => Some(between(a, b).toInt)
    case (a: Short, b: Short) => Some(between(a, b).toShort)
    case (a: Byte, b: Byte) => Some(between(a, b).toByte)
    case (a: Decimal, b: Decimal) if b.precision <= Decimal.MAX_LONG_DIGITS =>
      Some(Decimal(between(a.toUnscaledLong, b.toUnscaledLong), b.precision, b.scale))
    case _ => None
  }

  /** Both ends begin with the same bits; the first that differs is 1 in the upper end, or its sign. */
  private def between(above: Long, upTo: Long): Long = {
    val zeros = 63 - java.lang.Long.numberOfLeadingZeros(above ^ upTo)
    upTo >> zeros << zeros
  }
}
