package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.JoinType

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.facts.types.Orderable
import io.colocate.hyperjoin.grouping.{ConnectedRanges, KeyBox, KeyRange, Overlaps}

/**
 * Both sides of a join with their keys, and how their blocks overlap.
 *
 * @param leftKeys  in the join's order; each equals the right key at the same position
 */
final private[hyperjoin] class JoinSides(
    left: TableSide,
    val leftKeys: Seq[Expression],
    right: TableSide,
    val rightKeys: Seq[Expression]) {

  import JoinSides.Keyed

  private val keyed =
    Map[Side, Keyed](Side.Left -> Keyed(left, leftKeys), Side.Right -> Keyed(right, rightKeys))

  def of(side: Side): TableSide = keyed(side).table

  /** Numbers of the keys whose ranges are known on both sides; none if there is no such key. */
  def ranged: Option[Seq[Int]] = {
    val found = leftKeys.indices.filter(key => keyed.values.forall(_.ranges(key).nonEmpty))
    Option.when(found.nonEmpty)(found)
  }

  /** Which blocks may have equal keys; None if there are too many pairs to examine. */
  def overlaps(keys: Seq[Int], side: Side): Option[Overlaps] =
    if (keys.length == 1) find(keys, side)
    else {
      // The sweep goes over the first key, so that should be the one that the tables are cut by.
      val first = keys.minBy(key => find(Seq(key), side).fold(Long.MaxValue)(_.pairs))
      find(first +: keys.filter(_ != first), side)
    }

  /**
   * Sets of blocks of a side whose ranges of a key touch, directly or through other blocks. Takes the
   * key with the most sets.
   */
  def units(keys: Seq[Int], side: Side): IndexedSeq[IndexedSeq[Int]] =
    keys.map(key => ConnectedRanges(keyed(side).ranges(key).get, ordering(key))).maxBy(_.length)

  private def ordering(key: Int): Ordering[Any] = Orderable.ordering(leftKeys(key).dataType)

  private def find(keys: Seq[Int], side: Side): Option[Overlaps] = {
    def boxes(of: Keyed) = {
      val ranges = keys.flatMap(of.ranges(_))
      of.table.files.kept.indices.map(block => KeyBox(ranges.map(_(block)): _*))
    }
    Overlaps.find(boxes(keyed(side)), boxes(keyed(side.other)), keys.map(ordering).toIndexedSeq,
      JoinSides.MostPairs)
  }

  /**
   * A key of a side whose equal values are all in one group, as no two groups touch in its range. NULLs
   * may be in any group, so the key must have none unless the join drops them.
   */
  def together(
      side: Side,
      groups: IndexedSeq[IndexedSeq[Int]],
      joinType: JoinType): Option[Attribute] = {
    val Keyed(table, keys) = keyed(side)
    val anyNulls = JoinSemantics.dropsNulls(joinType)
    keys.indices.iterator.filter(i => anyNulls || !table.mayBeNull(keys(i), groups.flatten))
      .find(i => keyed(side).ranges(i).exists(apart(groups, _, ordering(i))))
      .flatMap(i => table.column(keys(i)))
  }

  private def apart(
      groups: IndexedSeq[IndexedSeq[Int]],
      of: IndexedSeq[KeyRange],
      ordering: Ordering[Any]): Boolean = {
    val hulls = groups.map(_.map(of(_)).filter(_ != KeyRange.Empty)).filter(_.nonEmpty).map { all =>
      all.collect { case known: KeyRange.Known => known }.reduceOption { (a, b) =>
        KeyRange.Known(ordering.min(a.min, b.min), ordering.max(a.max, b.max))
      }.filter(_ => !all.contains(KeyRange.Unknown))
    }
    hulls.forall(_.nonEmpty) && {
      val sorted = hulls.flatten.sortBy(_.min)(ordering)
      sorted.zip(sorted.drop(1)).forall { case (a, b) => ordering.lt(a.max, b.min) }
    }
  }
}

private[hyperjoin] object JoinSides {

  /** A side with its keys, and for each key its ranges if they are known. */
  final private case class Keyed(table: TableSide, keys: Seq[Expression]) {
    val ranges: Seq[Option[IndexedSeq[KeyRange]]] = keys.map(table.ranges)
  }

  /** The most pairs of overlapping files; more take seconds to group, and are read too often anyway. */
  val MostPairs = 2000000L
}
