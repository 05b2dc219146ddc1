package io.colocate.multiway.wcoj

/**
 * The ranks of one list as bits. If the same list is intersected with one list after another, as the
 * list of a vertex is while its neighbours change, each value of the others costs a look at one bit.
 *
 * Marking a list costs its length. It is done once the intersections without marks have cost as much, so
 * that a long list that comes only twice is not marked for two uses.
 *
 * @param domain the number of ranks
 */
final private[multiway] class RankBits(domain: Int) {

  private lazy val bits = new Array[Long]((domain >>> 6) + 1)

  private var list: Array[Int] = _
  private var from = 0
  private var until = 0
  private var marked = false
  private var spent = 0L

  /**
   * True if a part of a list is marked, and nothing else is. False, and nothing is marked, until marking
   * would have paid since the part first came.
   *
   * @param price the cost of the intersection without marks
   */
  def pays(list: Array[Int], from: Int, until: Int, price: Int): Boolean = {
    if ((list ne this.list) || from != this.from || until != this.until) {
      if (marked) clear()
      this.list = list
      this.from = from
      this.until = until
      spent = 0
    }
    if (!marked) {
      spent += price
      if (spent >= until - from) mark()
    }
    marked
  }

  private def mark(): Unit = {
    var i = from
    while (i < until) {
      val rank = list(i)
      bits(rank >>> 6) |= 1L << rank
      i += 1
    }
    marked = true
  }

  private def clear(): Unit = {
    var i = from
    while (i < until) {
      bits(list(i) >>> 6) = 0
      i += 1
    }
    marked = false
  }

  /** The number of values of a part of another list that are marked. */
  def common(other: Array[Int], from: Int, until: Int): Int = {
    var n = 0
    var i = from
    while (i < until) {
      val rank = other(i)
      n += ((bits(rank >>> 6) >>> rank) & 1).toInt
      i += 1
    }
    n
  }

  /** Writes the values of a part of another list that are marked, in their order; returns their number. */
  def intersect(other: Array[Int], from: Int, until: Int, out: Array[Int]): Int = {
    var n = 0
    var i = from
    while (i < until) {
      val rank = other(i)
      out(n) = rank
      n += ((bits(rank >>> 6) >>> rank) & 1).toInt
      i += 1
    }
    n
  }
}
