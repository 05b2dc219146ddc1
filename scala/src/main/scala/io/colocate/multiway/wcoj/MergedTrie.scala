package io.colocate.multiway.wcoj

/**
 * Merges a trie with that of a few rows more, as if both had been built together: without a sort, and by
 * copying whole parts.
 *
 * {{{
 *   1: 4 6     3: 4      and      1: 5     3: 4      =>      1: 4 5 6     3: 4, twice
 * }}}
 *
 * Both must have the same variables, and ranks of the same values. A path that both have stands for the
 * rows of both. Time is one copy of the arrays, and for each path of the second trie a search in the first.
 */
private[multiway] object MergedTrie {

  /**
   * @param more  of the rows that come after those of `base`
   * @param first the number of the first of these rows
   * @param ranks the number of ranks of the first variable
   */
  def apply(base: Trie, more: Trie, first: Int, ranks: Int): Trie = {
    val merge = new Merge(base, more, first)
    merge.parts(0, 0, base.values(0).length, 0, more.values(0).length)
    merge.result(ranks)
  }

  final private class Merge(base: Trie, more: Trie, first: Int) {
    private val depth = base.depth
    private val last = depth - 1
    private val values =
      Array.tabulate(depth)(l => new Array[Int](base.values(l).length + more.values(l).length))
    private val starts = Array.tabulate(depth)(l => new Array[Int](values(l).length + 1))
    private val rows =
      if (base.rows == null) null else new Array[Int](base.rows.length + more.rows.length)

    /** Positions written in each level, then rows. */
    private val size = new Array[Int](depth + 1)

    /** Merges two parts of a level, and all below them. */
    def parts(level: Int, from: Int, until: Int, moreFrom: Int, moreUntil: Int): Unit = {
      var i = from
      var j = moreFrom
      while (j < moreUntil) {
        val rank = more.values(level)(j)
        val next = SortedInts.seek(base.values(level), i, until, rank)
        copy(base, level, i, next, 0)
        i = next
        if (i < until && base.values(level)(i) == rank) {
          both(level, i, j)
          i += 1
        } else copy(more, level, j, j + 1, first)
        j += 1
      }
      copy(base, level, i, until, 0)
    }

    private def both(level: Int, i: Int, j: Int): Unit = {
      values(level)(size(level)) = base.values(level)(i)
      starts(level)(size(level)) = size(level + 1)
      size(level) += 1
      if (level < last)
        parts(level + 1, base.starts(level)(i), base.starts(level)(i + 1), more.starts(level)(j),
          more.starts(level)(j + 1))
      else {
        copyRows(base, base.firstRow(i), base.firstRow(i + 1), 0)
        copyRows(more, more.firstRow(j), more.firstRow(j + 1), first)
      }
    }

    /** Copies a part of a level, and all below it: its parts in each level are consecutive. */
    private def copy(trie: Trie, level: Int, from: Int, until: Int, number: Int): Unit =
      if (from < until) {
        val at = size(level)
        val below = (position: Int) =>
          if (level < last) trie.starts(level)(position) else trie.firstRow(position)
        System.arraycopy(trie.values(level), from, values(level), at, until - from)
        copyStarts(trie, level, from, until, at, size(level + 1) - below(from))
        size(level) += until - from
        if (level < last) copy(trie, level + 1, below(from), below(until), number)
        else copyRows(trie, below(from), below(until), number)
      }

    private def copyStarts(
        trie: Trie,
        level: Int,
        from: Int,
        until: Int,
        at: Int,
        moved: Int): Unit = {
      val (source, target) = (trie.starts(level), starts(level))
      var i = from
      while (i < until) {
        target(at + i - from) = moved + (if (source == null) i else source(i))
        i += 1
      }
    }

    private def copyRows(trie: Trie, from: Int, until: Int, number: Int): Unit = {
      if (rows != null) {
        var i = from
        while (i < until) {
          rows(size(depth) + i - from) = trie.rows(i) + number
          i += 1
        }
      }
      size(depth) += until - from
    }

    def result(ranks: Int): Trie = {
      val distinct = size(last) == size(depth)
      for (level <- 0 until depth) {
        starts(level)(size(level)) = size(level + 1)
        values(level) = Trie.trimmed(values(level), size(level))
        starts(level) = Trie.trimmed(starts(level), size(level) + 1)
      }
      if (distinct) starts(last) = null
      new Trie(values, starts, Trie.positions(values(0), ranks), rows)
    }
  }
}
