package io.colocate.multiway.wcoj

/**
 * The rows of a relation as a tree: a level for each of its variables, on each path the ranks of a row.
 * All data are in arrays; the children of a position are consecutive in the next level, and ascending.
 * {{{
 *   rows (1,4) (1,6) (3,4)      values(0) = 1 3      starts(0) = 0 2 3
 *                               values(1) = 4 6 4    starts(1) = null: a row for each
 * }}}
 *
 * @param values for each level the ranks
 * @param starts for each level, and each position in it, where its part of the next level begins; one
 *               entry more says where the last part ends. For the last level: where its rows begin, null
 *               if each position is one row.
 * @param index  the position of each rank in the first level, -1 if it is not there
 * @param rows   the numbers of the rows in the order of the paths; null if they are not needed
 */
final private[multiway] class Trie(
    val values: Array[Array[Int]],
    val starts: Array[Array[Int]],
    val index: Array[Int],
    val rows: Array[Int]) {

  def depth: Int = values.length

  /** The position of a rank in the first level, -1 if it is not there, as ranks given later are not. */
  def first(rank: Int): Int = if (rank < index.length) index(rank) else -1

  /** How many rows a position of the last level stands for. */
  def multiplicity(leaf: Int): Int = {
    val ends = starts(depth - 1)
    if (ends == null) 1 else ends(leaf + 1) - ends(leaf)
  }

  /** True if no two rows agree on all variables. */
  def distinct: Boolean = starts(depth - 1) == null

  /** Where the rows of a position of the last level begin; those of the next one begin at its end. */
  def firstRow(leaf: Int): Int = if (distinct) leaf else starts(depth - 1)(leaf)

  /** The same paths, each of them once. The arrays are shared. */
  def once: Trie = new Trie(values, starts.updated(depth - 1, null), index, null)

  def bytes: Long =
    4L * (values ++ starts :+ index :+ rows).filter(_ != null).map(_.length.toLong).sum
}

private[multiway] object Trie {

  /**
   * Sorts rows of ranks into a trie; one counting sort for each column, from the last to the first.
   *
   * @param columns for each variable, in the order of the levels, the rank of each row; a row with a
   *                negative rank is left out
   * @param domains for each variable the number of ranks
   * @param keepRows whether the numbers of the rows will be needed
   */
  def build(columns: Array[Array[Int]], domains: Array[Int], keepRows: Boolean): Trie = {
    val order = sorted(columns, domains)
    val (depth, n) = (columns.length, order.length)
    val values = Array.fill(depth)(new Array[Int](n))
    val starts = Array.fill(depth)(new Array[Int](n + 1))
    val size = new Array[Int](depth)
    var i = 0
    while (i < n) {
      val row = order(i)
      var level = if (i == 0) 0 else firstDifference(columns, order(i - 1), row)
      while (level < depth) {
        val at = size(level)
        values(level)(at) = columns(level)(row)
        starts(level)(at) = if (level + 1 < depth) size(level + 1) else i
        size(level) = at + 1
        level += 1
      }
      i += 1
    }
    val distinct = size(depth - 1) == n
    for (level <- 0 until depth) {
      starts(level)(size(level)) = if (level + 1 < depth) size(level + 1) else n
      values(level) = trimmed(values(level), size(level))
      starts(level) = trimmed(starts(level), size(level) + 1)
    }
    if (distinct) starts(depth - 1) = null
    new Trie(values, starts, positions(values(0), domains(0)), if (keepRows) order else null)
  }

  private def firstDifference(columns: Array[Array[Int]], a: Int, b: Int): Int = {
    var level = 0
    while (level < columns.length && columns(level)(a) == columns(level)(b)) level += 1
    level
  }

  private[wcoj] def trimmed(array: Array[Int], length: Int): Array[Int] =
    if (array.length == length) array else java.util.Arrays.copyOf(array, length)

  private[wcoj] def positions(first: Array[Int], domain: Int): Array[Int] = {
    val index = new Array[Int](domain)
    java.util.Arrays.fill(index, -1)
    var i = 0
    while (i < first.length) {
      index(first(i)) = i
      i += 1
    }
    index
  }

  // --- Order -------------------------------------------------------------------------------------

  private def sorted(columns: Array[Array[Int]], domains: Array[Int]): Array[Int] = {
    var order = whole(columns)
    var level = columns.length - 1
    while (level >= 0) {
      order = countingSort(order, columns(level), domains(level))
      level -= 1
    }
    order
  }

  /** The numbers of the rows that have a rank in every column. */
  private def whole(columns: Array[Array[Int]]): Array[Int] = {
    val rows = new Array[Int](columns.head.length)
    var row = 0
    var n = 0
    while (row < rows.length) {
      var level = 0
      while (level < columns.length && columns(level)(row) >= 0) level += 1
      if (level == columns.length) {
        rows(n) = row
        n += 1
      }
      row += 1
    }
    trimmed(rows, n)
  }

  /** Stable, so that sorting from the last column to the first sorts by all columns. */
  private def countingSort(order: Array[Int], column: Array[Int], domain: Int): Array[Int] = {
    val next = new Array[Int](domain + 1)
    var i = 0
    while (i < order.length) {
      next(column(order(i)) + 1) += 1
      i += 1
    }
    i = 1
    while (i <= domain) {
      next(i) += next(i - 1)
      i += 1
    }
    val out = new Array[Int](order.length)
    i = 0
    while (i < order.length) {
      val rank = column(order(i))
      out(next(rank)) = order(i)
      next(rank) += 1
      i += 1
    }
    out
  }
}
