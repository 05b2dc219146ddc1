package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions.Expression

import io.colocate.facts.types.Orderable
import io.colocate.hyperjoin.exec.TaskRanges
import io.colocate.hyperjoin.grouping.{ConnectedRanges, ConsecutiveGroups, KeyRange}

/**
 * The files of a table in groups whose ranges of one join key do not touch, in the order of these
 * ranges, so that each value belongs to one group.
 *
 * @param key    number of the key
 * @param blocks the blocks of each group
 */
final private[hyperjoin] case class ApartGroups(
    key: Int,
    blocks: IndexedSeq[IndexedSeq[Int]],
    ranges: TaskRanges)

private[hyperjoin] object ApartGroups {

  /**
   * Groups by the key that splits the files best; None if no key has a known range.
   *
   * @param budget most bytes of a group; blocks whose ranges touch stay together even beyond it
   */
  def of(table: TableSide, keys: Seq[Expression], budget: Long): Option[ApartGroups] = {
    val parted = for {
      (key, i) <- keys.zipWithIndex
      ranges <- table.ranges(key)
    } yield {
      val ordering = Orderable.ordering(key.dataType)
      i -> ConnectedRanges(ranges, ordering).map(blocks =>
        Part(blocks, blocks.map(ranges(_)), ordering))
    }
    parted.maxByOption(_._2.length).map { case (i, parts) =>
      val (sized, empty) = parts.partition(_.last.nonEmpty)
      def weight(part: Part) = part.blocks.iterator.map(table.heldBytes).sum
      val groups =
        if (sized.isEmpty) IndexedSeq(parts)
        else ConsecutiveGroups.together(sized, (weight _, budget))
      // Files without a key may be in any group.
      val filled = groups.updated(0, groups.head ++ (if (sized.isEmpty) Nil else empty))
      val lasts = groups.init.map(_.last.last.get)
      ApartGroups(i, filled.map(_.flatMap(_.blocks).distinct), TaskRanges(keys(i).dataType, lasts))
    }
  }

  /** @param last the greatest key; None if it is unknown or there is no key */
  private case class Part(blocks: IndexedSeq[Int], last: Option[Any])

  private object Part {
    def apply(
        blocks: IndexedSeq[Int],
        ranges: IndexedSeq[KeyRange],
        ordering: Ordering[Any]): Part =
      Part(blocks, ranges.collect { case known: KeyRange.Known => known.max }.maxOption(ordering))
  }
}
