package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.expressions.EitherKey
import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * Each row lies where the key is hashed that one side of the join or the other has ([[EitherKey]]).
 *
 * {{{
 *   HashAggregate [coalesce(l.a, r.a)]               HashAggregate [coalesce(l.a, r.a)]
 *   +- Exchange [coalesce(l.a, r.a)]                 +- ColocateClaim [coalesce(l.a, r.a) is a key]
 *      +- SortMergeJoin FullOuter [l.a], [r.a]  =>      +- SortMergeJoin FullOuter [l.a], [r.a]
 *         :- Exchange [l.a]                                :- Exchange [l.a]
 *         +- Exchange [r.a]                                +- Exchange [r.a]
 * }}}
 *
 * Valid because a row without a match lies where its own key is hashed, and a pair where both are. With
 * NULL in a key too: a row that has it matches nothing, and the other side's key is NULL in its output. Of
 * a left outer join the left keys alone decide. Counter-examples: one side's key above a full outer join,
 * which is NULL in rows from all partitions; a key of another place in the condition; sides that are not
 * partitioned alike, as where a skewed partition is split.
 *
 * @param keys the place of each key in the join's condition, with the expression that stands for it
 */
final case class OuterKeys(keys: Seq[(Int, Expression)]) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    OuterKeys.join(operator).fold(present) { join =>
      present ++ OuterKeys.placed(join).flatMap { case (hashed, at) =>
        val stated = at.map(place =>
          keys.collect { case (`place`, e) => e }.headOption
            .filter(EitherKey(_, join.leftKeys(place), join.rightKeys(place))))
        Option.when(stated.forall(_.nonEmpty))(Rehashed(hashed)(_ => stated.flatten))
      }
    }

  override def reason(hashed: Seq[Expression]): Option[Reason] =
    keys.collectFirst { case (_, e) if hashed.exists(_.semanticEquals(e)) => e }.map { e =>
      Reason(ExchangeReasons.OuterKey, "key" -> HashPartitionings.text(Seq(e)))
    }

  override def text: String = keys.map { case (_, e) => s"$e is a key" }.mkString(", ")
}

object OuterKeys {

  /** The join that gives the rows. */
  private def join(operator: SparkPlan): Option[BaseJoinExec] = Computing(operator) match {
    case join: BaseJoinExec => Some(join)
    case _ => None
  }

  /** How the rows of the join are hashed by keys that are never filled with NULL, and by which of them. */
  private def placed(join: BaseJoinExec): Seq[(Partitioning, Seq[Int])] = {
    def by(side: Side) = for {
      hashed <- HashPartitionings.hashes(join.children(side.child).outputPartitioning)
      at <- HashPartitionings.positions(hashed.keys, keysOf(join, side))
    } yield (hashed.partitioning, at)
    val kept = Seq(Side.Left, Side.Right).filter(JoinSemantics.keepsEachRow(join.joinType, _))
    kept match {
      case Seq(Side.Left, Side.Right) =>
        by(Side.Left).filter { case (left, at) =>
          by(Side.Right).exists { case (right, same) => same == at && alike(left, right) }
        }
      case Seq(side) if !JoinSemantics.givesLeft(join.joinType) =>
        val there = HashPartitionings.hashes(join.outputPartitioning).map(_.partitioning)
        by(side).filter { case (hashed, _) => there.contains(hashed) }
      case _ => Nil
    }
  }

  private def keysOf(join: BaseJoinExec, side: Side): Seq[Expression] =
    if (side == Side.Left) join.leftKeys else join.rightKeys

  /** True if equal keys are in partitions of one number. */
  private def alike(left: Partitioning, right: Partitioning): Boolean = (left, right) match {
    case (l: CoalescedHashPartitioning, r: CoalescedHashPartitioning) =>
      l.partitions == r.partitions && l.from.numPartitions == r.from.numPartitions
    case (l: HashPartitioning, r: HashPartitioning) => l.numPartitions == r.numPartitions
    case _ => false
  }
}
