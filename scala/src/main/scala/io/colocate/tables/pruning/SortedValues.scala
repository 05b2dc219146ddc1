package io.colocate.tables.pruning

/**
 * Values in ascending order, to be asked whether one of them lies in a range.
 *
 * @param values without NULL and NaN
 */
final private[tables] class SortedValues(values: Array[Any], ordering: Ordering[Any]) {

  private val sorted = values.sorted(ordering)

  /** @param min lower end of the range, null where it has none; `max` likewise */
  def anyWithin(min: Any, minIncluded: Boolean, max: Any, maxIncluded: Boolean): Boolean = {
    val first = if (min == null) 0 else firstFrom(min, minIncluded)
    first < sorted.length && (max == null || {
      val order = ordering.compare(sorted(first), max)
      order < 0 || order == 0 && maxIncluded
    })
  }

  /** Where the values at or above (or just above) this one begin. */
  private def firstFrom(value: Any, included: Boolean): Int = {
    var low = 0
    var high = sorted.length
    while (low < high) {
      val middle = (low + high) >>> 1
      val order = ordering.compare(sorted(middle), value)
      if (order > 0 || order == 0 && included) high = middle else low = middle + 1
    }
    low
  }
}
