package io.colocate.tables.pruning

import org.apache.spark.sql.types.{DataType, DoubleType, FloatType}

/**
 * What is known of the values of one column, or of a cast of it, over some rows.
 *
 * NULL and NaN are kept apart from the other values, which are between `min` and `max`. These only need
 * to enclose the values: a shortened text, or the value of a tree's cut, will do.
 *
 * @param mayBeNull   false only if no row holds NULL
 * @param mayBeNaN    false only if no row holds NaN
 * @param mayBeValue  false only if every row holds NULL or NaN
 * @param min         as an InternalRow stores it; null if unknown
 * @param minIncluded false if all values are above `min`, as right of a cut
 * @param mayFail     false only if no row raises an error, as a cast may
 */
final case class Bounds(
    mayBeNull: Boolean,
    mayBeNaN: Boolean,
    mayBeValue: Boolean,
    min: Any,
    minIncluded: Boolean,
    max: Any,
    maxIncluded: Boolean,
    mayFail: Boolean = false) {

  /** True if there is no row. */
  def isEmpty: Boolean = !mayBeNull && !mayBeNaN && !mayBeValue
}

object Bounds {

  val OnlyNull: Bounds = Bounds(mayBeNull = true, mayBeNaN = false, mayBeValue = false, null,
    minIncluded = true, null, maxIncluded = true)

  val OnlyNaN: Bounds = OnlyNull.copy(mayBeNull = false, mayBeNaN = true)

  /** Nothing is known but the type. */
  def unknown(floating: Boolean): Bounds =
    OnlyNull.copy(mayBeNaN = floating, mayBeValue = true)

  /** The same value in every row; null for NULL. */
  def constant(value: Any): Bounds =
    if (value == null) OnlyNull
    else if (isNaN(value)) OnlyNaN
    else OnlyNull.copy(mayBeNull = false, mayBeValue = true, min = value, max = value)

  /**
   * From the statistics of a file.
   *
   * Counts that contradict each other are treated as unknown. So are bounds that are NaN, which some
   * writers store: NaN as `max` would be right, but as `min` it would hide all other values.
   *
   * @param floating true for FLOAT and DOUBLE
   * @param nulls    number of NULLs, negative if unknown
   * @param nans     number of NaNs, negative if unknown
   * @param min      of the values that are neither NULL nor NaN; null if unknown or if there is none
   */
  def ofFile(floating: Boolean, rows: Long, nulls: Long, nans: Long, min: Any, max: Any): Bounds = {
    val present = if (nulls < 0 || nulls > rows) rows else rows - nulls
    val numbers = if (!floating || nans < 0 || nans > present) present else present - nans
    Bounds(mayBeNull = rows > 0 && nulls != 0, mayBeNaN = floating && present > 0 && nans != 0,
      mayBeValue = numbers > 0, if (floating && isNaN(min)) null else min, minIncluded = true,
      if (floating && isNaN(max)) null else max, maxIncluded = true)
  }

  def floating(dataType: DataType): Boolean = dataType == DoubleType || dataType == FloatType

  def isNaN(value: Any): Boolean = value match {
    case d: Double => d.isNaN
    case f: Float => f.isNaN
    case _ => false
  }
}
