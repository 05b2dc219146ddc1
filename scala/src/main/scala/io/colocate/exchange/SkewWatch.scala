package io.colocate.exchange

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.joins.ShuffledJoin
import org.apache.spark.sql.internal.SQLConf

import io.colocate.reason.{Bytes, Reason, ReasonCode}

/**
 * Withdraws a layout on fewer keys when a finished stage shows that it is skewed.
 *
 * {{{
 *   HashAggregate [a]                          HashAggregate [a]
 *   +- SortMergeJoin [a, b]                    +- Exchange hashpartitioning(a)
 *      +- ShuffleQueryStage hash(a), skewed =>    +- SortMergeJoin [a, b]   (Spark splits the skew)
 *                                                    +- ShuffleQueryStage hash(a), skewed
 * }}}
 *
 * While the aggregate relies on the join's layout, Spark may not split the skewed partition among
 * tasks. With a shuffle of its own above the join it may. "Skewed" is Spark's definition for joins:
 * above the threshold and above the factor times the median.
 */
final class SkewWatch(adaptive: Boolean, conf: SQLConf) {

  private val on = adaptive && conf.getConf(SQLConf.SKEW_JOIN_ENABLED)
  private val threshold = conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_THRESHOLD)
  private val factor = conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_FACTOR)

  /** True where a join reads a skewed stage, so that its output should not be relied upon. */
  def splits(operator: SparkPlan, links: Seq[Link]): Boolean =
    on && operator.isInstanceOf[ShuffledJoin] && links.exists(l =>
      l.exchange.isEmpty &&
        skewedStage(l.below).isDefined)

  /** What was seen, for each skewed stage that a join reads: above others nothing is withdrawn. */
  def seen(plan: SparkPlan): Seq[Decline] = if (!on) Nil
  else
    plan.collect { case join: ShuffledJoin => join.children.flatMap(stageBelow) }.flatten
      .filter(isSkewed).map { stage =>
        val keys = Layouts.hashes(stage.outputPartitioning).flatMap(_.keys)
        Decline(stage.shuffle.nodeName, Layouts.names(keys),
          Reason(ReasonCode.SkewSeen, "keys" -> Layouts.text(keys),
            "bytes" -> Bytes.text(largest(stage).toDouble)))
      }

  private def stageBelow(plan: SparkPlan): Option[ShuffleQueryStageExec] = plan match {
    case stage: ShuffleQueryStageExec => Some(stage)
    case _ if plan.children.length == 1 => stageBelow(plan.children.head)
    case _ => None
  }

  private def skewedStage(choice: Choice): Option[ShuffleQueryStageExec] = choice.operator match {
    case stage: ShuffleQueryStageExec => Some(stage).filter(isSkewed)
    case _ if choice.links.length == 1 && choice.links.head.exchange.isEmpty =>
      skewedStage(choice.links.head.below)
    case _ => None
  }

  private def isSkewed(stage: ShuffleQueryStageExec): Boolean =
    stage.isMaterialized && Layouts.hashes(stage.outputPartitioning).exists(_.co) &&
      stage.mapStats.exists { stats =>
        val sizes = stats.bytesByPartitionId.sorted
        sizes.nonEmpty && sizes.last > threshold &&
        sizes.last > factor * sizes(sizes.length / 2)
      }

  private def largest(stage: ShuffleQueryStageExec): Long =
    stage.mapStats.fold(0L)(_.bytesByPartitionId.max)
}
