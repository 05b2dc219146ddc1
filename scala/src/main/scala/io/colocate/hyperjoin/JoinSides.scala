package io.colocate.hyperjoin

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.{InnerLike, JoinType, LeftSemi}

import io.colocate.layout.tree.Orderable

/**
 * Both sides of a join with their keys, and how their blocks lie to each other.
 *
 * @param leftKeys  as the join has them; each equals the right key of the same number
 */
final private[hyperjoin] class JoinSides(
    left: TableSide,
    val leftKeys: Seq[Expression],
    right: TableSide,
    val rightKeys: Seq[Expression]) {

  def of(side: Side): TableSide = if (side == Side.Left) left else right

  private val leftRanges = leftKeys.map(left.ranges)
  private val rightRanges = rightKeys.map(right.ranges)

  /** Numbers of the keys whose ranges are known on both sides; none if there is no such key. */
  def ranged: Option[Seq[Int]] = {
    val found = leftKeys.indices.filter(i => leftRanges(i).nonEmpty && rightRanges(i).nonEmpty)
    Option.when(found.nonEmpty)(found)
  }

  /** Which blocks may have equal keys; none if they are too many to be looked through. */
  def overlaps(keys: Seq[Int], side: Side): Option[Overlaps] =
    if (keys.length == 1) find(keys, side)
    else {
      // The sweep goes over the first key, so that should be the one that the tables are cut by.
      val first = keys.minBy(key => find(Seq(key), side).fold(Long.MaxValue)(_.pairs))
      find(first +: keys.filter(_ != first), side)
    }

  /** Blocks of a side that touch in the range of a key, be it over others: the key with most. */
  def units(keys: Seq[Int], side: Side): IndexedSeq[IndexedSeq[Int]] =
    keys.map { key =>
      val (table, ranges) =
        if (side == Side.Left) (left, leftRanges) else (right, rightRanges)
      Touching(table.files.kept.indices.map(ranges(key).get),
        Orderable.ordering(leftKeys(key).dataType))
    }.maxBy(_.length)

  private def find(keys: Seq[Int], side: Side): Option[Overlaps] = {
    val orderings = keys.map(i => Orderable.ordering(leftKeys(i).dataType)).toIndexedSeq
    def boxes(table: TableSide, ranges: Seq[Option[Int => KeyRange]]) =
      table.files.kept.indices.map(block => KeyBox(keys.flatMap(ranges(_)).map(_(block)): _*))
    val (l, r) = (boxes(left, leftRanges), boxes(right, rightRanges))
    val (own, other) = if (side == Side.Left) (l, r) else (r, l)
    Overlaps.find(own, other, orderings, JoinSides.MostPairs)
  }

  /**
   * A key of a side on which equal rows are in one group, as no two groups touch in its range. NULLs
   * lie wherever their files do, unless the join drops them.
   */
  def together(
      side: Side,
      groups: IndexedSeq[IndexedSeq[Int]],
      joinType: JoinType): Option[Attribute] = {
    val (table, keys) =
      if (side == Side.Left) (left, leftKeys) else (right, rightKeys)
    val dropsNulls = joinType.isInstanceOf[InnerLike] || joinType == LeftSemi
    keys.iterator.filter(key => dropsNulls || !table.mayBeNull(key, groups.flatten))
      .find(key => table.ranges(key).exists(apart(groups, _, Orderable.ordering(key.dataType))))
      .flatMap(table.column)
  }

  private def apart(
      groups: IndexedSeq[IndexedSeq[Int]],
      of: Int => KeyRange,
      ordering: Ordering[Any]): Boolean = {
    val hulls = groups.map(_.map(of).filter(_ != KeyRange.Empty)).filter(_.nonEmpty).map { all =>
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

  /** Pairs of files that overlap; more take seconds to group, and are read too often anyway. */
  val MostPairs = 2000000L
}
