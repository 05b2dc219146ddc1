package io.colocate.facts.estimated

import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression}
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.facts.joins.{JoinSemantics, Side}

/** Estimates for a join, from the estimates of its inputs. */
private[estimated] object JoinEstimates {

  def apply(join: BaseJoinExec, left: RowEstimates, right: RowEstimates): RowEstimates = {
    val joinType = join.joinType
    if (JoinSemantics.givesLeft(joinType)) left
    else {
      val (rows, assumed) = size(join, left, right)
      RowEstimates.Unknown.copy(rows = rows, assumed = assumed,
        columns = columns(joinType, Side.Left, left) ++ columns(joinType, Side.Right, right),
        likelyKeys = stillLikely(joinType, Side.Left, left, right.isLikelyKey(join.rightKeys)) ++
          stillLikely(joinType, Side.Right, right, left.isLikelyKey(join.leftKeys)))
    }
  }

  private def columns(
      joinType: JoinType,
      side: Side,
      of: RowEstimates): Map[ExprId, ColumnEstimates] =
    if (mayFill(joinType, side)) of.widths else of.columns

  /**
   * A side whose rows each match at most one row of the other side keeps its keys; not a side that is NULL
   * in the unmatched rows of the other side.
   */
  private def stillLikely(
      joinType: JoinType,
      side: Side,
      of: RowEstimates,
      once: Boolean): Seq[Set[ExprId]] =
    if (once && !mayFill(joinType, side)) of.allKeys else Nil

  private def mayFill(joinType: JoinType, side: Side): Boolean =
    !JoinSemantics.known(joinType) || JoinSemantics.fillsWithNulls(joinType, side)

  private def size(join: BaseJoinExec, left: RowEstimates, right: RowEstimates) = {
    val assumed = left.assumed || right.assumed
    val estimate: Option[(Double, Boolean)] = for (l <- left.rows; r <- right.rows) yield {
      if (join.leftKeys.isEmpty) (l * r, assumed)
      else if (right.isLikelyKey(join.rightKeys)) (l, assumed)
      else if (left.isLikelyKey(join.leftKeys)) (r, assumed)
      else
        matches(join.leftKeys, join.rightKeys, left, right)
          .fold((l.max(r), true))(distinct => (l * r / distinct, assumed))
    }
    val inner = estimate.map(_._1)
    val rows = join.joinType match {
      case LeftOuter => inner.zip(left.rows).map { case (i, l) => i.max(l) }
      case RightOuter => inner.zip(right.rows).map { case (i, r) => i.max(r) }
      case FullOuter =>
        for (i <- inner; l <- left.rows; r <- right.rows) yield i.max(l + r)
      case _ => inner
    }
    (rows, estimate.forall(_._2))
  }

  /** The divisor of the classic estimate |L| |R| / max(distinct L, distinct R). */
  private def matches(
      leftKeys: Seq[Expression],
      rightKeys: Seq[Expression],
      left: RowEstimates,
      right: RowEstimates): Option[Double] =
    for (l <- left.distinct(leftKeys); r <- right.distinct(rightKeys)) yield l.max(r).max(1.0)
}
