package io.colocate.tables.format

/**
 * The statistics of one column in one file.
 *
 * No value other than NULL and NaN is below `min` or above `max`, if these are given. If `bounded`, both
 * are given, or there is no value other than NULL and NaN. If not, a missing bound is unknown: the type
 * has no order, or the log cannot store the bound.
 *
 * @param min    as an InternalRow stores it
 * @param length bytes in memory of all values of a type without a fixed length; 0 if unknown
 */
final case class ColumnStats(
    min: Option[Any],
    max: Option[Any],
    nulls: Long,
    nans: Long,
    bounded: Boolean,
    length: Long = 0) {
  require(!bounded || min.isDefined == max.isDefined, "bounded, but of min and max one is missing")
}

object ColumnStats {
  def unbounded(nulls: Long, nans: Long): ColumnStats =
    ColumnStats(None, None, nulls, nans, bounded = false)
}
