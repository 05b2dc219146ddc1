package io.colocate.hyperjoin

import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.FileSourceStrategy
import org.apache.spark.sql.execution.exchange.{REPARTITION_BY_NUM, ShuffleExchangeExec}
import org.apache.spark.sql.execution.joins.{ShuffledHashJoinExec, SortMergeJoinExec}
import org.apache.spark.sql.SparkSession

import io.colocate.adaptive.Withdrawn
import io.colocate.hyperjoin.exec.ColocateHyperScan
import io.colocate.hyperjoin.plan.{HyperJoinChoice, HyperJoinFindings, HyperJoinPlanner, OtherSide, SideInput, TableSide}
import io.colocate.report.{HyperJoinReasons, InternalError, Reason}
import io.colocate.rule.OptionalStrategy

/**
 * Joins two robust tables without a shuffle: each task reads a group of files of one table and just
 * those files of the other that overlap it in the range of the join key.
 *
 * {{{
 *   SortMergeJoin (l_orderkey = o_orderkey)        ShuffledHashJoin (l_orderkey = o_orderkey)
 *   :- Sort                                        :- Filter
 *   :  +- Exchange (l_orderkey)                    :  +- ColocateHyperScan
 *   :     +- Filter                        =>      :     +- FileScan lineitem
 *   :        +- FileScan lineitem                  +- ColocateHyperScan
 *   +- Sort                                           +- FileScan orders
 *      +- Exchange (o_orderkey)
 *         +- FileScan orders
 * }}}
 *
 * Valid for the joins that [[JoinSemantics]] allows, if both sides only read a table and a key is a
 * column whose range in each file is known. Counter-example: a full outer join of tables that are not
 * cut at the same values. If two tasks read the same file, a row may match in one task and not in the
 * other, which would emit it a second time, unmatched.
 *
 * Where only one side is a robust table, see [[OneStored]].
 *
 * It is a strategy because strategies run with adaptive execution on and off. The joins are Spark's own,
 * flagged as skew joins so that they require no partitioning.
 */
final class HyperJoinStrategy(session: SparkSession) extends OptionalStrategy {

  override def concerns(plan: LogicalPlan): Boolean = plan match {
    case join: Join => Seq(join.left, join.right).exists(TableSide.isOne) && !join.isStreaming
    case _ => false
  }

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: Join => decide(join)
    case _ => Nil
  }

  override def failed(plan: LogicalPlan, error: Throwable): Seq[SparkPlan] = {
    plan match {
      case join: Join => HyperJoinFindings.kept(join, InternalError("hyper-join", error))
      case _ =>
    }
    Nil
  }

  private def decide(join: Join): Seq[SparkPlan] = {
    val outcome = HyperJoinPlanner(session, conf)(join)
    val planned = outcome.flatMap(_.toOption).flatMap(physical(join, _))
    outcome.foreach {
      case Left(reason) => HyperJoinFindings.kept(join, reason)
      case Right(choice) => if (planned.nonEmpty) HyperJoinFindings.taken(join, choice)
    }
    planned.orElse(outcome.flatMap(_.left.toOption).flatMap(withdrawn(join, _))).toSeq
  }

  /** Spark's join in place of a hyper-join that turned out to be skewed. */
  private def withdrawn(join: Join, reason: Reason): Option[SparkPlan] = join match {
    case ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, condition, _, left, right, _)
        if reason.code == HyperJoinReasons.SkewedRanges && RowOrdering.isOrderable(leftKeys) =>
      val sorted = SortMergeJoinExec(leftKeys, rightKeys, joinType, condition, planLater(left),
        planLater(right))
      Withdrawn.mark(sorted)
      Some(sorted)
    case _ => None
  }

  private def physical(join: Join, choice: HyperJoinChoice): Option[SparkPlan] = join match {
    case ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, condition, _, left, right, _) =>
      for (l <- side(left, choice.left); r <- side(right, choice.right)) yield choice.build match {
        case Some(side) =>
          ShuffledHashJoinExec(leftKeys, rightKeys, joinType, side, condition, l, r,
            isSkewJoin = true)
        case None =>
          SortMergeJoinExec(leftKeys, rightKeys, joinType, condition, l, r, isSkewJoin = true)
      }
    case _ => None
  }

  private def side(plan: LogicalPlan, supply: SideInput): Option[SparkPlan] = supply match {
    case files: SideInput.Files => scan(plan, files)
    case shuffle: SideInput.Shuffle => Some(shuffled(plan, shuffle))
  }

  private def scan(side: LogicalPlan, files: SideInput.Files): Option[SparkPlan] =
    FileSourceStrategy(side).headOption.map { planned =>
      planned.setLogicalLink(side)
      planned.transformUp { case scan: FileSourceScanExec =>
        ColocateHyperScan(scan, files.groups, files.together)
      }
    }

  private def shuffled(side: LogicalPlan, into: SideInput.Shuffle): SparkPlan =
    if (OtherSide.stage(side, into).nonEmpty) planLater(side)
    else {
      // Adaptive execution does not coalesce the partitions of a shuffle that looks like the user's own.
      val shuffle =
        ShuffleExchangeExec(into.ranges.partitioning(into.key), planLater(side), REPARTITION_BY_NUM)
      // Once adaptive execution has run the shuffle, its stage stands for the side, not for the join.
      shuffle.setLogicalLink(side)
      shuffle
    }
}
