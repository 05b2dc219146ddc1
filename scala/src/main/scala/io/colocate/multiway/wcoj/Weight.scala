package io.colocate.multiway.wcoj

/**
 * Numbers of rows, none negative. A product that does not fit is [[Most]] and no error: a later factor
 * may be 0, and a query that takes only the first rows does not need the number.
 */
private[multiway] object Weight {

  val Most: Long = Long.MaxValue

  def times(a: Long, b: Long): Long = {
    val low = a * b
    if (low >= 0 && Math.multiplyHigh(a, b) == 0) low else Most
  }

  def plus(a: Long, b: Long): Long = {
    val sum = a + b
    if (sum >= 0) sum else Most
  }

  /** The number, for queries that count. */
  def exact(weight: Long): Long =
    if (weight < Most) weight
    else
      throw new ArithmeticException(
        "the number of rows that are counted does not fit into a BIGINT")
}
