package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.joins.ShuffledJoin
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.joins.JoinSemantics
import io.colocate.report.{Bytes, ExchangeReasons, Finding, Reason}

/**
 * Withdraws a partitioning on fewer keys when a finished stage shows that it is skewed.
 *
 * {{{
 *   HashAggregate [a]                          HashAggregate [a]
 *   +- SortMergeJoin [a, b]                    +- Exchange hashpartitioning(a)
 *      +- ShuffleQueryStage hash(a), skewed =>    +- SortMergeJoin [a, b]   (Spark splits the skew)
 *                                                    +- ShuffleQueryStage hash(a), skewed
 * }}}
 *
 * While the aggregate relies on the join's partitioning, Spark may not split the skewed partition among
 * tasks. If there is a shuffle of the aggregate's own above the join, it may. "Skewed" is Spark's
 * definition for joins: above the threshold and above the factor times the median.
 */
final class SkewedStages(adaptive: Boolean, conf: SQLConf) {

  private val on = adaptive && conf.getConf(SQLConf.SKEW_JOIN_ENABLED)
  private val threshold = conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_THRESHOLD)
  private val factor = conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_FACTOR)

  /**
   * True if a join reads a skewed stage that Spark may split: operators above must not rely on its
   * partitioning.
   */
  def splits(operator: SparkPlan, links: Seq[Edge]): Boolean = on && (operator match {
    case join: ShuffledJoin =>
      val sides = links.map(link => if (link.exchange.isDefined) None else stage(link.below))
      val shuffled = links.zip(sides).forall { case (l, s) => l.exchange.isDefined || s.isDefined }
      shuffled && splittable(join.joinType).exists(sides(_).exists(isSkewed))
    case _ => false
  })

  /** The finding for each skewed stage that Spark may split; above other stages nothing is withdrawn. */
  def seen(plan: SparkPlan): Seq[Finding] = if (!on) Nil
  else
    plan.collect { case join: ShuffledJoin =>
      splittable(join.joinType).flatMap(i => stage(join.children(i)))
    }.flatten.filter(isSkewed).map { stage =>
      val keys = HashPartitionings.hashes(stage.outputPartitioning).flatMap(_.keys)
      ExchangeFindings.kept(stage.shuffle.nodeName, HashPartitionings.names(keys),
        Reason(ExchangeReasons.SkewSeen, "keys" -> HashPartitionings.text(keys),
          "bytes" -> Bytes.text(largest(stage).toDouble)))
    }

  /** The children whose rows may be split, each part meeting all rows of the other side. */
  private def splittable(joinType: JoinType): Seq[Int] =
    JoinSemantics.splittable(joinType).map(_.child)

  /** The stage that a join reads; Spark splits none that is below anything but the join's own sort. */
  private def stage(plan: SparkPlan): Option[ShuffleQueryStageExec] = plan match {
    case stage: ShuffleQueryStageExec => Some(stage)
    case sort: SortExec => stage(sort.child)
    case _ => None
  }

  private def stage(choice: Alternative): Option[ShuffleQueryStageExec] = choice.operator match {
    case _: SortExec =>
      choice.links.headOption.filter(_.exchange.isEmpty).flatMap(l => stage(l.below))
    case operator => stage(operator)
  }

  private def isSkewed(stage: ShuffleQueryStageExec): Boolean =
    stage.isMaterialized && HashPartitionings.hashes(stage.outputPartitioning).exists(_.co) &&
      stage.mapStats.exists { stats =>
        val sizes = stats.bytesByPartitionId.sorted
        sizes.nonEmpty && sizes.last > threshold &&
        sizes.last > factor * sizes(sizes.length / 2)
      }

  private def largest(stage: ShuffleQueryStageExec): Long =
    stage.mapStats.fold(0L)(_.bytesByPartitionId.max)
}
