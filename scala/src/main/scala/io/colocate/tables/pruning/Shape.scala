package io.colocate.tables.pruning

import org.apache.spark.unsafe.types.UTF8String

/**
 * `text LIKE 'prefix%'`: in the order of bytes, the texts with a prefix are consecutive and begin with
 * the prefix itself.
 *
 * Does not use the prefix with its last letter raised as an upper bound, as no valid text follows the
 * last letter. A range overlaps these texts if it ends at or above the prefix, and begins at or below it
 * or with one of these texts.
 */
final private[tables] class Prefix(operand: Operand, prefix: UTF8String, ordering: Ordering[Any])
    extends Check {

  override def apply(rows: KnownRows): Possible = {
    val bounds = operand.bounds(rows)
    val endsAbove = bounds.max == null || ordering.compare(bounds.max, prefix) >= 0
    val beginsBelow =
      bounds.min == null || ordering.compare(bounds.min, prefix) <= 0 || has(bounds.min)
    val all = bounds.min != null && bounds.max != null && has(bounds.min) && has(bounds.max)
    Possible(mayBeTrue = bounds.mayBeValue && endsAbove && beginsBelow,
      mayBeFalse = bounds.mayBeValue && !all, mayBeNull = bounds.mayBeNull,
      mayFail = bounds.mayFail)
  }

  private def has(text: Any): Boolean = text.asInstanceOf[UTF8String].startsWith(prefix)
}

/** `operand IS NULL`. */
final private[tables] class NoValue(operand: Operand) extends Check {

  override def apply(rows: KnownRows): Possible = {
    val bounds = operand.bounds(rows)
    Possible(mayBeTrue = bounds.mayBeNull, mayBeFalse = bounds.mayBeValue || bounds.mayBeNaN,
      mayBeNull = false, mayFail = bounds.mayFail)
  }
}

/** `isnan(operand)`, which is FALSE for NULL. */
final private[tables] class NotANumber(operand: Operand) extends Check {

  override def apply(rows: KnownRows): Possible = {
    val bounds = operand.bounds(rows)
    Possible(mayBeTrue = bounds.mayBeNaN, mayBeFalse = bounds.mayBeValue || bounds.mayBeNull,
      mayBeNull = false, mayFail = bounds.mayFail)
  }
}

/** `DataFrameNaFunctions.drop`: at least `n` of the operands are neither NULL nor NaN. */
final private[tables] class EnoughValues(n: Int, operands: Array[Operand]) extends Check {

  override def apply(rows: KnownRows): Possible = {
    val bounds = operands.map(_.bounds(rows))
    Possible(mayBeTrue = bounds.count(_.mayBeValue) >= n,
      mayBeFalse = bounds.count(b => !b.mayBeNull && !b.mayBeNaN) < n, mayBeNull = false,
      mayFail = bounds.exists(_.mayFail))
  }
}
