package io.colocate.facts.joins

import org.apache.spark.sql.catalyst.plans._

/**
 * What joins do with the rows of their sides; all rooms use this table.
 *
 * | join | gives | keeps unmatched | fills with NULL | row by row |
 * |---|---|---|---|---|
 * | inner, cross | both | none | none | both |
 * | left outer | both | left | right | left |
 * | right outer | both | right | left | right |
 * | full outer | both | both | both | none |
 * | left semi | left | none | none | left |
 * | left anti | left | left | none | left |
 * | existence | left | left | none | left |
 * | any other | | | | none |
 *
 * A side is "row by row" if the output for each of its rows does not depend on its other rows: it may be
 * split, each part meeting all rows of the other side. On any other side, a row of the opposite side may
 * have no match in one part and have one in another: if the right side of a left outer join were split, a
 * row of the left side would be emitted both with NULLs and with its match.
 */
private[colocate] object JoinSemantics {

  private val Both = Seq(Side.Left, Side.Right)

  /** A line of the table; the side that is filled with NULL follows from it. */
  private case class Line(gives: Seq[Side], keepsUnmatched: Seq[Side], rowByRow: Seq[Side])

  private def line(joinType: JoinType): Option[Line] = joinType match {
    case _: InnerLike => Some(Line(Both, Nil, Both))
    case LeftOuter => Some(Line(Both, Seq(Side.Left), Seq(Side.Left)))
    case RightOuter => Some(Line(Both, Seq(Side.Right), Seq(Side.Right)))
    case FullOuter => Some(Line(Both, Both, Nil))
    case LeftSemi => Some(Line(Seq(Side.Left), Nil, Seq(Side.Left)))
    case LeftAnti | ExistenceJoin(_) =>
      Some(Line(Seq(Side.Left), Seq(Side.Left), Seq(Side.Left)))
    case _ => None
  }

  /** Joins whose kept rows are known. */
  def known(joinType: JoinType): Boolean = line(joinType).nonEmpty

  /** True if the join returns rows of the left side only, each at most once. */
  def givesLeft(joinType: JoinType): Boolean = line(joinType).exists(_.gives == Seq(Side.Left))

  /** True if the join keeps rows of a side without a match, so that their blocks must be read. */
  def keepsUnmatched(joinType: JoinType, side: Side): Boolean =
    line(joinType).exists(_.keepsUnmatched.contains(side))

  /** True if the join returns each row of a side, with or without a match. */
  def keepsEachRow(joinType: JoinType, side: Side): Boolean =
    keepsUnmatched(joinType, side) && joinType != LeftAnti

  /** True if columns of a side are NULL for rows of the other side without a match. */
  def fillsWithNulls(joinType: JoinType, side: Side): Boolean =
    !givesLeft(joinType) && keepsUnmatched(joinType, side.other)

  /** True if each output row is a pair of rows that meet the condition. */
  def pairsOnly(joinType: JoinType): Boolean =
    line(joinType).exists(of => of.gives == Both && of.keepsUnmatched.isEmpty)

  /** True if the join returns no row with NULL in a key. */
  def dropsNulls(joinType: JoinType): Boolean = pairsOnly(joinType) || joinType == LeftSemi

  /**
   * The sides that may be the grouped one, whose blocks are read once each; the blocks of the other side,
   * the probed one, are read once for each group that they overlap.
   *
   * If the blocks of both sides are cut at the same values, groups can be formed that share no block of
   * either side, and every join is valid.
   */
  def groupable(joinType: JoinType): Seq[Side] = line(joinType).fold(Seq.empty[Side])(_.rowByRow)

  /** The sides that Spark splits if they are skewed; it leaves existence joins alone. */
  def splittable(joinType: JoinType): Seq[Side] = joinType match {
    case ExistenceJoin(_) => Nil
    case _ => groupable(joinType)
  }

  /**
   * True if a filter on columns of a side can be moved from above the join to below it. It could also be
   * moved to the left side of an existence join, but no caller needs that yet.
   */
  def filterPasses(joinType: JoinType, side: Side): Boolean = splittable(joinType).contains(side)

  /** The name of a join in SQL; SQL has no word for the join that EXISTS in an OR becomes. */
  def name(joinType: JoinType): String = joinType match {
    case ExistenceJoin(_) => "EXISTENCE"
    case other => other.sql
  }
}

/**
 * A side of a join.
 *
 * @param child its number among the join's children
 */
sealed abstract private[colocate] class Side(val child: Int) {
  def other: Side
}

private[colocate] object Side {
  case object Left extends Side(0) { override def other: Side = Right }
  case object Right extends Side(1) { override def other: Side = Left }

  /** The side that is the join's child of this number. */
  def of(child: Int): Side = if (child == Left.child) Left else Right
}
