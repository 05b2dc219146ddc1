package io.colocate.multiway.core

/**
 * The ranks of one list as bits. Where the same list is intersected with one after the other, as those of
 * a vertex are while its neighbours change, each value of the others costs a look at one bit.
 *
 * @param domain the number of ranks
 */
final private[core] class Marks(domain: Int) {

  private lazy val bits = new Array[Long]((domain >>> 6) + 1)
  private var list: Array[Int] = _
  private var from = 0
  private var until = 0

  /** Marks a part of a list and nothing else. */
  def mark(list: Array[Int], from: Int, until: Int): Unit =
    if ((list ne this.list) || from != this.from || until != this.until) {
      var i = this.from
      while (i < this.until) {
        bits(this.list(i) >>> 6) = 0
        i += 1
      }
      i = from
      while (i < until) {
        val rank = list(i)
        bits(rank >>> 6) |= 1L << rank
        i += 1
      }
      this.list = list
      this.from = from
      this.until = until
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
