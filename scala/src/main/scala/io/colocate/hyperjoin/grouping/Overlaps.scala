package io.colocate.hyperjoin.grouping

import scala.collection.mutable

/**
 * Which blocks of two tables may hold rows with equal join keys. The arrays must not be changed.
 *
 * @param probed for each block of the grouped side the blocks of the probed side, ascending
 * @param order  the blocks of the grouped side in the order of their ranges; those without a key come
 *               last
 */
final class Overlaps(val probed: Array[Array[Int]], val order: Array[Int]) {

  /** How many pairs of blocks overlap. */
  def pairs: Long = probed.map(_.length.toLong).sum

  /** The overlaps of parts, each of which consists of blocks of the grouped side. */
  def merged(parts: IndexedSeq[IndexedSeq[Int]]): Overlaps = {
    val place = new Array[Int](order.length)
    for ((block, i) <- order.zipWithIndex) place(block) = i
    val reads = parts.map(_.toArray.flatMap(probed(_)).distinct.sorted)
    new Overlaps(reads.toArray, parts.indices.sortBy(parts(_).map(place).min).toArray)
  }
}

object Overlaps {

  /**
   * Finds the overlaps of blocks. The ends of a range are values of the block, so ranges that touch
   * overlap.
   *
   * Sweeps over the first column: takes the blocks of both sides in the order in which they start, and
   * compares each with the blocks of the other side that have started and not ended. So time grows with
   * the blocks and with the pairs that overlap in the first column, not with all pairs.
   *
   * @param grouped   the blocks of the grouped side, each of which will be in one group
   * @param probed    the blocks of the other side
   * @param orderings of the values of each column
   * @param atMost    the most pairs that may overlap in the first column
   * @return None if there are more of these
   */
  def find(
      grouped: IndexedSeq[KeyBox],
      probed: IndexedSeq[KeyBox],
      orderings: IndexedSeq[Ordering[Any]],
      atMost: Long = Long.MaxValue): Option[Overlaps] = {
    require(orderings.nonEmpty, "a join key has at least one column")
    val order = new BoxOrder(orderings)
    val starts = (holdingKeys(grouped, isGrouped = true) ++ holdingKeys(probed, isGrouped = false))
      .sortBy(_.box)(order)
    val sweep = new Sweep(grouped.length, order)
    val finished = starts.forall { start =>
      sweep.arriveAt(start)
      sweep.pairs <= atMost
    }
    Option.when(finished) {
      val withKeys = starts.filter(_.isGrouped).map(_.block)
      val withoutKeys = grouped.indices.filterNot(grouped(_).holdsKeys)
      new Overlaps(sweep.found, (withKeys ++ withoutKeys).toArray)
    }
  }

  private def holdingKeys(boxes: IndexedSeq[KeyBox], isGrouped: Boolean): IndexedSeq[Start] =
    for ((box, block) <- boxes.zipWithIndex if box.holdsKeys) yield Start(isGrouped, block, box)

  /** A block of either side, at the start of its range. */
  final private case class Start(isGrouped: Boolean, block: Int, box: KeyBox)

  final private class Sweep(blocks: Int, order: BoxOrder) {

    // The blocks of each side that have started and are not known to have ended.
    private val openGrouped, openProbed = mutable.ArrayBuffer.empty[Start]

    private val probed = Array.fill(blocks)(mutable.ArrayBuilder.make[Int])

    /** How many pairs overlap in the first column. */
    var pairs = 0L

    def found: Array[Array[Int]] = probed.map(_.result().sorted)

    def arriveAt(start: Start): Unit =
      if (start.isGrouped) {
        meet(start, openProbed)(other => probed(start.block) += other.block)
        openGrouped += start
      } else {
        meet(start, openGrouped)(other => probed(other.block) += start.block)
        openProbed += start
      }

    private def meet(start: Start, others: mutable.ArrayBuffer[Start])(note: Start => Unit): Unit =
      others.filterInPlace { other =>
        val open = !order.isBefore(0, other.box, start.box)
        if (open) pairs += 1
        if (open && order.meetAfterFirst(other.box, start.box)) note(other)
        open
      }
  }
}
