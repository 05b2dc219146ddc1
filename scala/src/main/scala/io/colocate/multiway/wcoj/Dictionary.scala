package io.colocate.multiway.wcoj

/**
 * Ranks for numbers: dense, from 0, in the order of the numbers. If the numbers are close together, a
 * rank is found at the number's place in an array, otherwise by hashing. Numbers that come later have the
 * ranks after these, in no order.
 */
sealed abstract private[multiway] class Dictionary {
  def size: Int

  /** The number of a rank. */
  def value(rank: Int): Long

  /** The rank of a number, -1 if it has none. */
  def rank(value: Long): Int

  /** The same ranks, and more for the other numbers of some columns; itself if there are none. */
  def grown(columns: Seq[Array[Long]]): Dictionary = {
    val others = Dictionary.distinct(columns.map(_.filter(rank(_) < 0)))
    if (others.isEmpty) this else appended(others)
  }

  /** @param others numbers without a rank */
  protected def appended(others: Array[Long]): Dictionary =
    new GrownDictionary(this, Dictionary.hashed(others))

  /** How many numbers came later. */
  def later: Int = 0

  def ranks(column: Array[Long]): Array[Int] = {
    val out = new Array[Int](column.length)
    var i = 0
    while (i < out.length) {
      out(i) = rank(column(i))
      i += 1
    }
    out
  }

  def bytes: Long
}

private[multiway] object Dictionary {

  /** An array of places is used if it has up to so many places for each number. */
  private val Sparse = 4

  /** The dictionary of all numbers of some columns. */
  def of(columns: Seq[Array[Long]]): Dictionary = {
    val count = columns.map(_.length.toLong).sum
    val (low, high) = bounds(columns)
    val span = high - low
    // A difference that overflows is negative.
    if (count > 0 && span >= 0 && span < Sparse * count + 1024 && span < Int.MaxValue - 16)
      dense(columns, low, span.toInt + 1)
    else hashed(distinct(columns))
  }

  private def bounds(columns: Seq[Array[Long]]): (Long, Long) = {
    var low = Long.MaxValue
    var high = Long.MinValue
    for (column <- columns) {
      var i = 0
      while (i < column.length) {
        low = low.min(column(i))
        high = high.max(column(i))
        i += 1
      }
    }
    (low, high)
  }

  private def dense(columns: Seq[Array[Long]], low: Long, places: Int): Dictionary = {
    val ranks = new Array[Int](places)
    for (column <- columns) {
      var i = 0
      while (i < column.length) {
        ranks((column(i) - low).toInt) = 1
        i += 1
      }
    }
    var size = 0
    var place = 0
    while (place < places) {
      size += ranks(place)
      ranks(place) = if (ranks(place) == 0) -1 else size - 1
      place += 1
    }
    val values = new Array[Long](size)
    place = 0
    while (place < places) {
      if (ranks(place) >= 0) values(ranks(place)) = low + place
      place += 1
    }
    new DenseDictionary(values, low, ranks)
  }

  private def distinct(columns: Seq[Array[Long]]): Array[Long] = {
    val all = Array.concat(columns: _*)
    java.util.Arrays.sort(all)
    var n = 0
    var i = 0
    while (i < all.length) {
      if (n == 0 || all(n - 1) != all(i)) {
        all(n) = all(i)
        n += 1
      }
      i += 1
    }
    java.util.Arrays.copyOf(all, n)
  }

  private[wcoj] def hashed(values: Array[Long]): HashedDictionary = {
    val slots = new Array[Int](Integer.highestOneBit((values.length * 2).max(8)) * 2)
    java.util.Arrays.fill(slots, -1)
    var rank = 0
    while (rank < values.length) {
      var slot = HashedDictionary.slot(values(rank), slots.length)
      while (slots(slot) >= 0) slot = (slot + 1) & (slots.length - 1)
      slots(slot) = rank
      rank += 1
    }
    new HashedDictionary(values, slots)
  }
}

/** @param values the numbers by rank */
final private class DenseDictionary(values: Array[Long], low: Long, places: Array[Int])
    extends Dictionary {

  override def size: Int = values.length

  override def value(rank: Int): Long = values(rank)

  override def rank(value: Long): Int = {
    val place = value - low
    // A difference that overflows is outside, regardless of its sign.
    if (value < low || place < 0 || place >= places.length) -1 else places(place.toInt)
  }

  override def bytes: Long = 8L * values.length + 4L * places.length
}

/** @param values the numbers by rank */
final private class HashedDictionary(val values: Array[Long], slots: Array[Int])
    extends Dictionary {

  override def size: Int = values.length

  override def value(rank: Int): Long = values(rank)

  override def rank(value: Long): Int = {
    var slot = HashedDictionary.slot(value, slots.length)
    while (slots(slot) >= 0 && values(slots(slot)) != value) slot = (slot + 1) & (slots.length - 1)
    slots(slot)
  }

  override def bytes: Long = 8L * values.length + 4L * slots.length
}

private object HashedDictionary {

  /** Fibonacci hashing: the upper bits of a product depend on all bits of the number. */
  def slot(value: Long, slots: Int): Int =
    ((value * 0x9e3779b97f4a7c15L) >>> (64 - Integer.numberOfTrailingZeros(slots))).toInt
}

/** @param more of the numbers that came later */
final private class GrownDictionary(base: Dictionary, more: HashedDictionary) extends Dictionary {

  override def size: Int = base.size + more.size

  override def later: Int = more.size

  override def value(rank: Int): Long =
    if (rank < base.size) base.value(rank) else more.value(rank - base.size)

  override def rank(value: Long): Int = {
    val known = base.rank(value)
    if (known >= 0) known
    else {
      val found = more.rank(value)
      if (found < 0) found else base.size + found
    }
  }

  override protected def appended(others: Array[Long]): Dictionary =
    new GrownDictionary(base, Dictionary.hashed(more.values ++ others))

  override def bytes: Long = base.bytes + more.bytes
}
