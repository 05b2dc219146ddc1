package io.colocate.hyperjoin

import scala.collection.mutable

/**
 * Which blocks of two tables may hold rows with equal join keys. The arrays are not to be changed.
 *
 * @param probed for each block of the grouped side the blocks of the probed side, ascending
 * @param order  the blocks of the grouped side as their ranges lie; those without a key come last
 */
final class Overlaps(val probed: Array[Array[Int]], val order: Array[Int]) {

  /** How many pairs of blocks overlap. */
  def pairs: Long = probed.map(_.length.toLong).sum
}

object Overlaps {

  /**
   * Finds the overlaps of blocks whose ends are values that they hold, so that ranges which touch
   * overlap.
   *
   * Sweeps over the first column: takes the blocks of both sides in the order in which they start, and
   * holds each against the blocks of the other side that have started and not ended. So time grows
   * with the blocks and with the pairs that overlap in the first column, not with all pairs.
   *
   * @param grouped   the blocks of the side of which each block is to be in one group
   * @param probed    the blocks of the other side
   * @param orderings of the values of each column
   * @param atMost    pairs that overlap in the first column
   * @return None where there are more of these
   */
  def find(
      grouped: IndexedSeq[KeyBox],
      probed: IndexedSeq[KeyBox],
      orderings: IndexedSeq[Ordering[Any]],
      atMost: Long = Long.MaxValue): Option[Overlaps] = {
    require(orderings.nonEmpty, "a join key has at least one column")
    val order = new BoxOrder(orderings)
    val blocks = (starts(grouped, isGrouped = true) ++ starts(probed, isGrouped = false))
      .sortBy(_.box)(order)
    val found = Array.fill(grouped.length)(mutable.ArrayBuilder.make[Int])
    // The blocks of each side that have started and are not known to have ended.
    val (openGrouped, openProbed) = (mutable.ArrayBuffer[Start](), mutable.ArrayBuffer[Start]())
    var pairs = 0L
    val sweep = blocks.iterator
    while (sweep.hasNext && pairs <= atMost) {
      val next = sweep.next()
      val (own, others) =
        if (next.isGrouped) (openGrouped, openProbed) else (openProbed, openGrouped)
      others.filterInPlace { other =>
        val open = !order.isBefore(0, other.box, next.box)
        if (open) pairs += 1
        if (open && order.meetAfterFirst(other.box, next.box)) {
          if (next.isGrouped) found(next.block) += other.block else found(other.block) += next.block
        }
        open
      }
      own += next
    }
    if (pairs > atMost) None
    else {
      val withoutKey = grouped.indices.filterNot(grouped(_).holdsKeys)
      Some(new Overlaps(found.map(_.result().sorted),
        blocks.filter(_.isGrouped).map(_.block).toArray ++ withoutKey))
    }
  }

  private def starts(boxes: IndexedSeq[KeyBox], isGrouped: Boolean): IndexedSeq[Start] =
    for ((box, block) <- boxes.zipWithIndex if box.holdsKeys) yield Start(isGrouped, block, box)

  /** A block at which the sweep arrives. */
  final private case class Start(isGrouped: Boolean, block: Int, box: KeyBox)
}
