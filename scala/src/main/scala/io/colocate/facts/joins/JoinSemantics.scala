package io.colocate.facts.joins

import org.apache.spark.sql.catalyst.plans._

/**
 * Which side of a join may be the grouped one, whose blocks are read once each; the blocks of the
 * other side, the probed one, are read once for each group that they overlap.
 *
 * A row of the grouped side meets all rows that it could match in its one task, so the task knows
 * whether it has a match. A row of the probed side may be without a match in one task and have one
 * in another: a join that has to know about it would return it once too often.
 *
 * | join | grouped |
 * |---|---|
 * | inner | either |
 * | left outer, left semi, left anti, existence | left |
 * | right outer | right |
 * | full outer | none |
 *
 * Where the blocks of both sides are cut at the same values, groups can be made that share no block
 * of either side, and every join is valid.
 */
private[colocate] object JoinSemantics {

  def groupable(joinType: JoinType): Seq[Side] = joinType match {
    case _: InnerLike => Seq(Side.Left, Side.Right)
    case LeftOuter | LeftSemi | LeftAnti | ExistenceJoin(_) => Seq(Side.Left)
    case RightOuter => Seq(Side.Right)
    case _ => Nil
  }

  /** Joins for which it is known what they keep. */
  def known(joinType: JoinType): Boolean = groupable(joinType).nonEmpty || joinType == FullOuter

  /** True if no row with NULL in a key comes through. */
  def dropsNulls(joinType: JoinType): Boolean =
    joinType.isInstanceOf[InnerLike] || joinType == LeftSemi

  /** What a join is called in SQL; there is no word for the one that EXISTS in an OR becomes. */
  def name(joinType: JoinType): String = joinType match {
    case ExistenceJoin(_) => "EXISTENCE"
    case other => other.sql
  }

  /** True if rows of a side without a match come through, so that its blocks have to be read. */
  def keepsUnmatched(joinType: JoinType, side: Side): Boolean = (joinType, side) match {
    case (FullOuter, _) => true
    case (LeftOuter | LeftAnti | ExistenceJoin(_), Side.Left) => true
    case (RightOuter, Side.Right) => true
    case _ => false
  }
}

/** A side of a join. */
sealed private[colocate] trait Side {
  def other: Side
}

private[colocate] object Side {
  case object Left extends Side { val other: Side = Right }
  case object Right extends Side { val other: Side = Left }
}
