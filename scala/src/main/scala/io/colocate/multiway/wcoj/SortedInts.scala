package io.colocate.multiway.wcoj

/**
 * Searches and intersects strictly ascending parts of int arrays, by loops over arrays only. A part is
 * an array with the position of its first value and the one after its last.
 */
private[multiway] object SortedInts {

  /** From this ratio of lengths on, looking each value up is cheaper than walking both lists. */
  private val Gallop = 16

  /**
   * The first position of a part whose value is at least `value`, or its end: doubling steps, then
   * halving, so that the cost is the logarithm of the distance moved.
   */
  def seek(list: Array[Int], from: Int, until: Int, value: Int): Int = {
    if (from >= until || list(from) >= value) return from
    var low = from
    var step = 1
    while (step < until - low && list(low + step) < value) {
      low += step
      step <<= 1
    }
    var high = if (step < until - low) low + step else until
    // list(low) < value, and value <= list(high) or high is the end.
    while (high - low > 1) {
      val middle = (low + high) >>> 1
      if (list(middle) < value) low = middle else high = middle
    }
    high
  }

  /** Writes the common values of two parts to `out`, if it is not null; returns their number. */
  def intersect(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int]): Int = {
    if (aUntil - aFrom > bUntil - bFrom) intersect(b, bFrom, bUntil, a, aFrom, aUntil, out)
    else if (sparse(aUntil - aFrom, bUntil - bFrom)) {
      var i = aFrom
      var j = bFrom
      var n = 0
      while (i < aUntil && j < bUntil) {
        val value = a(i)
        j = seek(b, j, bUntil, value)
        if (j < bUntil && b(j) == value) {
          if (out != null) out(n) = value
          n += 1
        }
        i += 1
      }
      n
    } else {
      var i = aFrom
      var j = bFrom
      var n = 0
      while (i < aUntil && j < bUntil) {
        val x = a(i)
        val y = b(j)
        if (x == y) {
          if (out != null) out(n) = x
          n += 1
        }
        if (x <= y) i += 1
        if (y <= x) j += 1
      }
      n
    }
  }

  /** The number of common values of two parts. */
  def common(a: Array[Int], aFrom: Int, aUntil: Int, b: Array[Int], bFrom: Int, bUntil: Int): Int =
    intersect(a, aFrom, aUntil, b, bFrom, bUntil, null)

  /** Keeps, in place, those of the first `n` values that a part has; returns how many are left. */
  def retain(values: Array[Int], n: Int, list: Array[Int], from: Int, until: Int): Int =
    intersect(values, 0, n, list, from, until, values)

  /** Keeps, in place, those of the first `n` values that a part does not have. */
  def remove(values: Array[Int], n: Int, list: Array[Int], from: Int, until: Int): Int = {
    var i = 0
    var j = from
    var kept = 0
    while (i < n) {
      val value = values(i)
      j = seek(list, j, until, value)
      if (j == until || list(j) != value) {
        values(kept) = value
        kept += 1
      }
      i += 1
    }
    kept
  }

  /** About how many values are looked at to intersect two lists. */
  def price(a: Int, b: Int): Int = {
    val (fewer, more) = (a.min(b), a.max(b))
    if (sparse(fewer, more)) fewer * Gallop else fewer + more
  }

  /** True if looking up each value of one list in the other is cheaper. */
  def sparse(fewer: Int, more: Int): Boolean = more / Gallop > fewer
}
