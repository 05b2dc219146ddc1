package io.colocate.exchange.replan

import org.apache.spark.sql.catalyst.expressions.{ArrayRepeat, Expression, Sequence, StringLPad, StringRepeat, StringRPad, StringSpace, UserDefinedExpression}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, ENSURE_REQUIREMENTS, ShuffleExchangeLike}
import org.apache.spark.sql.execution.joins.{BaseJoinExec, CartesianProductExec}
import org.apache.spark.sql.execution.window.{WindowExecBase, WindowGroupLimitExec}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.claims.ColocateClaim
import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.exchange.partitioning.{HashPartitionings, PartitioningStub, Rebuilt}
import io.colocate.facts.estimated.Estimates
import io.colocate.report.{Bytes, ExchangeReasons, Findings, Reason}
import io.colocate.rule.ColocateConf

/**
 * Keeps rows in one task if one task reads them all. Adaptive execution reads small finished stages
 * together as one partition, and shuffling rows computed from one partition brings no rows together that
 * were apart.
 *
 * {{{
 *   Window [a]                                      Window [a]
 *   +- Exchange hashpartitioning(a)                 +- Coalesce 1
 *      +- HashAggregate [b]                   =>       +- HashAggregate [b]
 *         +- ShuffleQueryStage, 300 KiB                   +- ShuffleQueryStage, 300 KiB
 * }}}
 *
 * Valid for every requirement of equal keys together, of an order, or of all rows in one partition; for a
 * join, both sides must be like this. Spark's Coalesce makes it one partition, however the stages are read.
 * "Small" is Spark's own measure, the minimum size to which it coalesces partitions
 * (`spark.sql.adaptive.coalescePartitions.minPartitionSize`, 1 MiB). Counter-example: a join that
 * multiplies the rows, after which several tasks are better, so the size of intermediate results is bounded
 * by the advisory size of a partition, assuming that each row joins with each if nothing else is known; or
 * a stage that the user's own `repartition` made.
 *
 * Broadcast sides are left unchanged: dynamic pruning looks for the same plan. So is a limit on sorted
 * rows: Coalesce need not read sorted partitions one after the other, and Spark sorts again only after a
 * shuffle.
 */
final class KeepOnePartition(estimates: Estimates, conf: SQLConf) {

  private val on =
    ColocateConf.ExchangeGather(conf) && conf.getConf(SQLConf.COALESCE_PARTITIONS_ENABLED)
  private val mostRead = conf.getConf(SQLConf.COALESCE_PARTITIONS_MIN_PARTITION_SIZE)
  private val mostMade = conf.getConf(SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES)

  /**
   * The finding is attached to the Coalesce, so that it is reported for the plan that runs and for no
   * other.
   */
  def apply(plan: SparkPlan): SparkPlan = if (on) within(plan) else plan

  private def within(plan: SparkPlan): SparkPlan = {
    val below = plan.children.zip(plan.requiredChildDistribution).map {
      case (child, _: BroadcastDistribution) => child
      case (child, _) => within(child)
    }
    at(Rebuilt(plan, below))
  }

  /** The operator, with each input that would be shuffled for it put into one partition. */
  private def at(operator: SparkPlan): SparkPlan = {
    val asked = KeepOnePartition.asked(operator)
    val small =
      asked.keys.flatMap(i => size(operator.children(i)).filter(_ <= mostRead).map(i -> _))
        .toMap
    lazy val partitionings = operator.children.map(PartitioningStub.partitioningOf)
    lazy val open = asked.keys.toSeq.sorted.filterNot(i => KeepOnePartition.isOne(partitionings(i)))
    val gathers = small.nonEmpty && !KeepOnePartition.takesFirst(operator) &&
      asked.values.forall(SinglePartition.satisfies) && open.forall(small.contains) &&
      isShuffled(operator, partitionings)
    if (!gathers) operator
    else
      operator.withNewChildren(operator.children.zipWithIndex.map { case (child, i) =>
        if (open.contains(i)) inOne(child, operator, asked(i), small(i)) else child
      })
  }

  private def inOne(
      rows: SparkPlan,
      operator: SparkPlan,
      asked: Distribution,
      bytes: Long): SparkPlan = {
    val one = CoalesceExec(1, rows)
    Findings.put(one,
      ExchangeFindings.removed(operator.nodeName,
        HashPartitionings.names(KeepOnePartition.keys(asked)), Nil,
        Seq(Reason(ExchangeReasons.OnePartition, "bytes" -> Bytes.text(bytes.toDouble)))))
    one
  }

  /** True if Spark would shuffle for this operator. */
  private def isShuffled(operator: SparkPlan, partitionings: Seq[Partitioning]): Boolean = {
    val stubs = operator.children.zip(partitionings).map { case (child, partitioning) =>
      PartitioningStub(child.output, partitioning)
    }
    EnsureRequirements(optimizeOutRepartition = false).apply(operator.withNewChildren(stubs))
      .exists(_.isInstanceOf[ShuffleExchangeLike])
  }

  /**
   * The bytes of the finished stages from which these rows are computed; None if they have other inputs
   * too.
   */
  private def size(plan: SparkPlan): Option[Long] = plan match {
    case stage: ShuffleQueryStageExec
        if stage.isMaterialized && stage.shuffle.shuffleOrigin == ENSURE_REQUIREMENTS =>
      Some(stage.mapStats.fold(0L)(_.bytesByPartitionId.sum))
    case _: CartesianProductExec => None
    case _ if KeepOnePartition.takesFirst(plan) => None
    case _: ProjectExec | _: FilterExec | _: SortExec | _: BaseAggregateExec | _: WindowExecBase |
        _: WindowGroupLimitExec | _: BaseJoinExec | _: UnionExec | _: LimitExec | _: ExpandExec |
        _: CoalesceExec | _: ColocateClaim =>
      val sizes = plan.children.zip(plan.requiredChildDistribution).collect {
        case (child, asked) if !asked.isInstanceOf[BroadcastDistribution] => size(child)
      }
      Option.when(sizes.forall(_.isDefined) && isBounded(plan))(sizes.flatten.sum)
    case _ => None
  }

  private def isBounded(plan: SparkPlan): Boolean = plan match {
    case _ if plan.expressions.exists(_.exists(KeepOnePartition.widens)) => false
    case _: BaseJoinExec | _: ExpandExec => mostBytes(plan).exists(_ <= mostMade)
    case _ => true
  }

  private def mostBytes(plan: SparkPlan): Option[Double] =
    mostRows(plan).map(_ * estimates(plan).rowBytes(plan.output))

  /** An upper bound on the rows, because assumed join estimates are no bound. */
  private def mostRows(plan: SparkPlan): Option[Double] = {
    val known = estimates(plan)
    if (!known.assumed) known.rows
    else {
      val below = plan.children.map(mostRows)
      def all(f: Seq[Double] => Double) = Option.when(below.forall(_.isDefined))(f(below.flatten))
      plan match {
        case _: BaseJoinExec => all(rows => rows.map(_.max(1)).product)
        case expand: ExpandExec => all(_.sum * expand.projections.length)
        case _: GenerateExec => None
        case _ => all(_.sum)
      }
    }
  }
}

object KeepOnePartition {

  /** True of expressions that make a value of any length from a short one. */
  private def widens(e: Expression): Boolean = e match {
    case _: StringRepeat | _: StringSpace | _: StringLPad | _: StringRPad | _: ArrayRepeat |
        _: Sequence | _: UserDefinedExpression =>
      true
    case _ => false
  }

  /** True if every input with a required partitioning is in one partition. */
  def areOne(operator: SparkPlan): Boolean =
    asked(operator).keys.forall(i => isOne(PartitioningStub.partitioningOf(operator.children(i))))

  private def takesFirst(operator: SparkPlan): Boolean = operator match {
    case limit: GlobalLimitExec =>
      limit.child.exists {
        case sort: SortExec => sort.global
        case _ => false
      }
    case _ => false
  }

  private def isOne(partitioning: Partitioning): Boolean =
    HashPartitionings.members(partitioning).contains(SinglePartition)

  /** The requirement on each child that has one, broadcasts excepted. */
  private def asked(operator: SparkPlan): Map[Int, Distribution] =
    operator.requiredChildDistribution.zipWithIndex.collect {
      case (d, i) if d != UnspecifiedDistribution && !d.isInstanceOf[BroadcastDistribution] =>
        i -> d
    }.toMap

  private def keys(distribution: Distribution): Seq[Expression] = distribution match {
    case clustered: ClusteredDistribution => clustered.clustering
    case ordered: OrderedDistribution => ordered.ordering.map(_.child)
    case _ => Nil
  }
}
