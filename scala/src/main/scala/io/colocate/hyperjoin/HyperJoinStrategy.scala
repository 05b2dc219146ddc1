package io.colocate.hyperjoin

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.datasources.FileSourceStrategy
import org.apache.spark.sql.execution.joins.{ShuffledHashJoinExec, SortMergeJoinExec}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.internal.SQLConf

import io.colocate.{ColocateConf, GuardedRule}
import io.colocate.reason.{Reason, ReasonCode}

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
 * Valid for the joins of [[Validity]], where both sides do nothing but read a table and a key is a
 * column whose range in each file is known. Counter-example: a full outer join of tables that are not
 * cut at the same values; a file that two tasks read has rows that match in one task and not in the
 * other, which would return them a second time without a match.
 *
 * A strategy, as it works with adaptive execution on and off. The joins are Spark's own, told that
 * they need not ask for a layout, as those that handle skew are.
 */
final class HyperJoinStrategy(session: SparkSession) extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: Join if !join.isStreaming =>
      val conf = SQLConf.get
      GuardedRule("hyperjoin", conf, ColocateConf.hyperJoinOn)(Seq.empty[SparkPlan])(decide(join,
        conf))(failed(join, _))
    case _ => Nil
  }

  private def failed(join: Join, error: Throwable): Seq[SparkPlan] = {
    val reason = Reason(ReasonCode.HyperJoinError, "error" -> error.toString)
    HyperJoinReport.put(join, Left(reason))
    Nil
  }

  private def decide(join: Join, conf: SQLConf): Seq[SparkPlan] = {
    val slots = session.sparkContext.defaultParallelism
    val outcome = new HyperJoinPlanner(conf, slots)(join)
    val planned = outcome.flatMap(_.toOption).flatMap(physical(join, _))
    for (found <- outcome if found.isLeft || planned.nonEmpty) HyperJoinReport.put(join, found)
    planned.toSeq
  }

  private def physical(join: Join, choice: HyperJoinChoice): Option[SparkPlan] = join match {
    case ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, condition, _, left, right, _) =>
      for {
        l <- scan(left, choice.left, choice.leftTogether)
        r <- scan(right, choice.right, choice.rightTogether)
      } yield choice.build match {
        case Some(side) =>
          ShuffledHashJoinExec(leftKeys, rightKeys, joinType, side, condition, l, r,
            isSkewJoin = true)
        case None =>
          SortMergeJoinExec(leftKeys, rightKeys, joinType, condition, l, r, isSkewJoin = true)
      }
    case _ => None
  }

  private def scan(
      side: LogicalPlan,
      groups: FileGroups,
      together: Option[Attribute]): Option[SparkPlan] =
    FileSourceStrategy(side).headOption.map { planned =>
      planned.setLogicalLink(side)
      planned.transformUp { case scan: FileSourceScanExec =>
        ColocateHyperScan(scan, groups, together)
      }
    }
}
