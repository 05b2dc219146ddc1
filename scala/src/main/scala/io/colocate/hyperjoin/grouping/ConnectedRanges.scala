package io.colocate.hyperjoin.grouping

import scala.collection.mutable.ArrayBuffer

import io.colocate.hyperjoin.grouping.KeyRange.{Empty, Known}

/**
 * Splits blocks where no range goes across. Blocks whose ranges share a value, directly or through other
 * blocks, are in the same part, so a value is in one part only.
 *
 * {{{
 *   [1, 4] [3, 6] [8, 9]   =>   {[1, 4], [3, 6]}, {[8, 9]}
 * }}}
 *
 * The blocks below one cut of the upper levels of a two-phase tree are such a part.
 */
private[hyperjoin] object ConnectedRanges {

  /** The numbers of the blocks of each part; a block that holds no key is a part of its own. */
  def apply(ranges: IndexedSeq[KeyRange], ordering: Ordering[Any]): IndexedSeq[IndexedSeq[Int]] = {
    val (empty, filled) = ranges.indices.partition(ranges(_) == Empty)
    val known = filled.flatMap(i => Some(ranges(i)).collect { case range: Known => i -> range })
    if (known.length < filled.length) filled +: empty.map(IndexedSeq(_))
    else {
      val parts = ArrayBuffer.empty[ArrayBuffer[Int]]
      var end: Any = null
      for ((block, range) <- known.sortBy(_._2.min)(ordering)) {
        val apart = parts.isEmpty || ordering.gt(range.min, end)
        if (apart) parts += ArrayBuffer(block) else parts.last += block
        if (apart || ordering.gt(range.max, end)) end = range.max
      }
      parts.map(_.toIndexedSeq).toIndexedSeq ++ empty.map(IndexedSeq(_))
    }
  }
}
