package io.colocate.tables.pruning

/**
 * Values in ascending order, which can be searched for one that is within a range.
 *
 * @param values without NULL and NaN
 */
final private[tables] class SortedValues(values: Array[Any], ordering: Ordering[Any]) {

  private val sorted = values.sorted(ordering)

  /** @param min lower end of the range, null if it has none; `max` likewise */
  def anyWithin(min: Any, minIncluded: Boolean, max: Any, maxIncluded: Boolean): Boolean = {
    val first = if (min == null) 0 else firstFrom(min, minIncluded)
    first < sorted.length && (max == null || {
      val order = ordering.compare(sorted(first), max)
      order < 0 || order == 0 && maxIncluded
    })
  }

  /** The position of the first value at or above this one, or only above it. */
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
