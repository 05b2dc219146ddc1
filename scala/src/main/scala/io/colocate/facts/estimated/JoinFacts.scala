package io.colocate.facts.estimated

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.facts.expressions.Equalities

/** The facts of a join, from those of its inputs. */
object JoinFacts {

  def apply(join: BaseJoinExec, left: RowFacts, right: RowFacts): RowFacts = {
    val (rows, assumed) = size(join, left, right)
    join.joinType match {
      case LeftExistence(_) => left
      case _: InnerLike =>
        RowFacts(rows, assumed, left.columns ++ right.columns, left.constants ++ right.constants,
          Equalities.merge(left.equal ++ right.equal, keyPairs(join)),
          stillUnique(left, right, join.rightKeys) ++ stillUnique(right, left, join.leftKeys))
      case LeftOuter =>
        RowFacts(rows, assumed, left.columns ++ right.widths, left.constants, left.equal,
          stillUnique(left, right, join.rightKeys))
      case RightOuter =>
        RowFacts(rows, assumed, left.widths ++ right.columns, right.constants, right.equal,
          stillUnique(right, left, join.leftKeys))
      case _ =>
        RowFacts(rows, assumed, left.widths ++ right.widths, Set.empty, Nil, Nil)
    }
  }

  private def keyPairs(join: BaseJoinExec) = join.leftKeys.zip(join.rightKeys).collect {
    case (a: Attribute, b: Attribute) if Equalities.sameBits(a.dataType, b.dataType) =>
      (a.exprId, b.exprId)
  } ++ join.condition.toSeq.flatMap(Equalities.pairs)

  /**
   * A side whose rows each meet at most one row of the other stays as unique as it was; not one that is
   * NULL where rows of the other meet none.
   */
  private def stillUnique(side: RowFacts, other: RowFacts, otherKeys: Seq[Expression]) =
    if (other.isUnique(otherKeys)) side.unique else Nil

  private def size(join: BaseJoinExec, left: RowFacts, right: RowFacts) = {
    val assumed = left.assumed || right.assumed
    val estimate: Option[(Double, Boolean)] = for (l <- left.rows; r <- right.rows) yield {
      if (join.leftKeys.isEmpty) (l * r, assumed)
      else if (right.isUnique(join.rightKeys)) (l, assumed)
      else if (left.isUnique(join.leftKeys)) (r, assumed)
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
      left: RowFacts,
      right: RowFacts): Option[Double] =
    for (l <- left.distinct(leftKeys); r <- right.distinct(rightKeys)) yield l.max(r).max(1.0)
}
