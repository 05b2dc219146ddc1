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

import io.colocate.exchange.memory.Removal
import io.colocate.exchange.partitioning.{ColocateLayoutClaim, HashPartitionings, PartitioningStub, Rebuilt}
import io.colocate.facts.estimated.Facts
import io.colocate.report.{Bytes, ExchangeReasons, Reason}
import io.colocate.rule.ColocateConf

/**
 * Keeps in one task what one task reads: adaptive execution reads finished stages that are small
 * together as one partition, and to shuffle what is computed from one partition brings nothing
 * together that was apart.
 *
 * {{{
 *   Window [a]                                      Window [a]
 *   +- Exchange hashpartitioning(a)                 +- Coalesce 1
 *      +- HashAggregate [b]                   =>       +- HashAggregate [b]
 *         +- ShuffleQueryStage, 300 KiB                   +- ShuffleQueryStage, 300 KiB
 * }}}
 *
 * Right for whatever asks for equal keys together, for an order, or for all rows at one place; a join
 * needs both its sides so. Spark's Coalesce makes the partition one, however the stages are read.
 * "Small" is Spark's own measure, the least size that it coalesces partitions to
 * (`spark.sql.adaptive.coalescePartitions.minPartitionSize`, 1 MiB). Counter-example: a join that
 * multiplies the rows, after which several tasks are wanted, so what is made on the way is bounded by
 * the advisory size of a partition, each row joined with each where nothing else is known; or a stage that
 * the user's own `repartition` made.
 *
 * What is broadcast is left as it is: dynamic pruning looks for the same plan. So are the first rows of
 * an order: Coalesce need not read sorted partitions one after the other, and Spark sorts once more only
 * where it shuffles.
 */
final class KeepOnePartition(facts: Facts, conf: SQLConf) {

  private val on =
    ColocateConf.ExchangeGather(conf) && conf.getConf(SQLConf.COALESCE_PARTITIONS_ENABLED)
  private val mostRead = conf.getConf(SQLConf.COALESCE_PARTITIONS_MIN_PARTITION_SIZE)
  private val mostMade = conf.getConf(SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES)

  def apply(plan: SparkPlan): Gathered = if (on) within(plan) else Gathered(plan, Nil)

  private def within(plan: SparkPlan): Gathered = {
    val below = plan.children.zip(plan.requiredChildDistribution).map {
      case (child, _: BroadcastDistribution) => Gathered(child, Nil)
      case (child, _) => within(child)
    }
    val here = at(Rebuilt(plan, below.map(_.plan)))
    here.copy(removals = below.flatMap(_.removals) ++ here.removals)
  }

  /** The operator with those inputs in one partition that would be shuffled for it. */
  private def at(operator: SparkPlan): Gathered = {
    val asked = KeepOnePartition.asked(operator)
    val small =
      asked.keys.flatMap(i => size(operator.children(i)).filter(_ <= mostRead).map(i -> _))
        .toMap
    lazy val layouts = operator.children.map(PartitioningStub.layoutOf)
    lazy val open = asked.keys.toSeq.sorted.filterNot(i => KeepOnePartition.isOne(layouts(i)))
    val gathers = small.nonEmpty && !KeepOnePartition.takesFirst(operator) &&
      asked.values.forall(SinglePartition.satisfies) && open.forall(small.contains) &&
      isShuffled(operator, layouts)
    if (!gathers) Gathered(operator, Nil)
    else {
      val children = operator.children.zipWithIndex.map { case (child, i) =>
        if (open.contains(i)) CoalesceExec(1, child) else child
      }
      Gathered(operator.withNewChildren(children),
        open.map(i => removal(operator, asked(i), small(i))))
    }
  }

  private def removal(operator: SparkPlan, asked: Distribution, bytes: Long): Removal =
    Removal(operator.nodeName, HashPartitionings.names(KeepOnePartition.keys(asked)), Nil,
      Seq(Reason(ExchangeReasons.OnePartition, "bytes" -> Bytes.text(bytes.toDouble))))

  /** True where Spark would shuffle for this operator. */
  private def isShuffled(operator: SparkPlan, layouts: Seq[Partitioning]): Boolean = {
    val stubs = operator.children.zip(layouts).map { case (child, layout) =>
      PartitioningStub(child.output, layout)
    }
    EnsureRequirements(optimizeOutRepartition = false).apply(operator.withNewChildren(stubs))
      .exists(_.isInstanceOf[ShuffleExchangeLike])
  }

  /** The bytes of the finished stages that these rows are computed from; None where not only from such. */
  private def size(plan: SparkPlan): Option[Long] = plan match {
    case stage: ShuffleQueryStageExec
        if stage.isMaterialized && stage.shuffle.shuffleOrigin == ENSURE_REQUIREMENTS =>
      Some(stage.mapStats.fold(0L)(_.bytesByPartitionId.sum))
    case _: CartesianProductExec => None
    case _ if KeepOnePartition.takesFirst(plan) => None
    case _: ProjectExec | _: FilterExec | _: SortExec | _: BaseAggregateExec | _: WindowExecBase |
        _: WindowGroupLimitExec | _: BaseJoinExec | _: UnionExec | _: LimitExec | _: ExpandExec |
        _: CoalesceExec | _: ColocateLayoutClaim =>
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
    mostRows(plan).map(_ * facts(plan).rowBytes(plan.output))

  /** A bound, as what is assumed of joins is none. */
  private def mostRows(plan: SparkPlan): Option[Double] = {
    val known = facts(plan)
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

/** A plan, and the shuffles that it does without. */
final case class Gathered(plan: SparkPlan, removals: Seq[Removal])

object KeepOnePartition {

  /** True of what makes a value of any length from a short one. */
  private def widens(e: Expression): Boolean = e match {
    case _: StringRepeat | _: StringSpace | _: StringLPad | _: StringRPad | _: ArrayRepeat |
        _: Sequence | _: UserDefinedExpression =>
      true
    case _ => false
  }

  /** True where all inputs that the operator wants laid out in some way are in one partition each. */
  def areOne(operator: SparkPlan): Boolean =
    asked(operator).keys.forall(i => isOne(PartitioningStub.layoutOf(operator.children(i))))

  private def takesFirst(operator: SparkPlan): Boolean = operator match {
    case limit: GlobalLimitExec =>
      limit.child.exists {
        case sort: SortExec => sort.global
        case _ => false
      }
    case _ => false
  }

  private def isOne(layout: Partitioning): Boolean =
    HashPartitionings.members(layout).contains(SinglePartition)

  /** What is asked of each child, where it is more than nothing and no broadcast. */
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
