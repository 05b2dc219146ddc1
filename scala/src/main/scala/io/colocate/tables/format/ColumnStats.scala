package io.colocate.tables.format

/**
 * What is known of one column in one file.
 *
 * No value is below `min` or above `max`, where they are given, NULL and NaN aside. Where
 * `bounded`, both are given, or there is no other value than NULL and NaN. Where not, one that is
 * missing is not known: the type has no order, or the bound cannot be written down.
 *
 * @param min    as it stands in an InternalRow
 * @param length bytes of all values of a type without a fixed length, in memory; 0 where not known
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
