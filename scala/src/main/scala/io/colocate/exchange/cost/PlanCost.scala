package io.colocate.exchange.cost

import scala.collection.mutable

import org.apache.spark.sql.catalyst.plans.physical.{RangePartitioning, SinglePartition}
import org.apache.spark.sql.execution.{CollectMetricsExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeLike}

import io.colocate.exchange.partitioning.{HashPartitionings, Requirement}

/**
 * What a whole plan shuffles, each shared shuffle counted once.
 *
 * @param exchanges number of shuffles
 * @param bytes     estimated bytes that they move
 * @param cost      of the shuffles, see [[CostModel]]
 * @param reads     estimated bytes that the inputs of the plan hold, and that shared shuffles are read
 *                  again: a subplan that is no longer shared is computed once more
 * @param observed  how many metrics a sample for ranges counts once more
 */
final case class PlanCost(
    exchanges: Int,
    bytes: Double,
    cost: Double,
    reads: Double,
    observed: Int) {
  def +(other: PlanCost): PlanCost = PlanCost(exchanges + other.exchanges, bytes + other.bytes,
    cost + other.cost, reads + other.reads, observed + other.observed)

  /** More often than another plan of the same query, or more bytes. */
  def shufflesMore(other: PlanCost): Boolean =
    exchanges > other.exchanges || bytes > other.bytes * PlanCost.BytesSlack

  /** The cost beside a plan of the same query, from which only repeated reading differs. */
  def beside(other: PlanCost): Double = cost + reads - other.reads
}

object PlanCost {

  /** Rounding of estimates. */
  val BytesSlack = 1.001

  val Zero: PlanCost = PlanCost(0, 0, 0, 0, 0)

  /**
   * @param plan    with all its shuffles, as Spark's EnsureRequirements leaves it
   * @param sharing knows what occurs only once and need not be compared
   */
  def of(plan: SparkPlan, model: CostModel, sharing: SharedSubplans, usual: Int): PlanCost = {
    val seen = mutable.HashSet.empty[SparkPlan]

    def walk(operator: SparkPlan): PlanCost = operator match {
      case e: Exchange if sharing.mayRepeat(e) && !seen.add(e.canonicalized) => again(e)
      case s: ShuffleExchangeLike => shuffle(s) + walk(s.child)
      case _: QueryStageExec => Zero
      case leaf if leaf.children.isEmpty => Zero.copy(reads = model.bytes(leaf))
      case other => other.children.map(walk).foldLeft(narrow(other))(_ + _)
    }

    def shuffle(s: ShuffleExchangeLike): PlanCost = {
      val moved = model.bytes(s.child)
      val cost = HashPartitionings.hashes(s.outputPartitioning).headOption
        .fold(CostModel.StartUp + moved)(h => model.shuffle(s.child, h.keys, h.n))
      PlanCost(1, moved, cost, 0, 0) + sampled(s)
    }

    // The rows of a sample are computed from what was shuffled last.
    def sampled(s: ShuffleExchangeLike): PlanCost = s.outputPartitioning match {
      case _: RangePartitioning =>
        Zero.copy(observed = sinceShuffle(s.child).count(_.isInstanceOf[CollectMetricsExec]))
      case _ => Zero
    }

    // Reading is half of what a shuffle does, and never dearer than to compute its rows afresh.
    def again(shared: Exchange): PlanCost = shared match {
      case s: ShuffleExchangeLike =>
        Zero.copy(reads = model.bytes(s.child).min(walk(s.child).reads) / 2)
      case _ => Zero
    }

    // A join in fewer partitions than usual, where both sides were found that way.
    def narrow(operator: SparkPlan): PlanCost =
      if (operator.children.length < 2 || Requirement.of(operator).exists(
          !_.isInstanceOf[Requirement.Aligned]))
        Zero
      else
        Zero.copy(cost = operator.children.map { child =>
          val layout = child.outputPartitioning
          if (layout == SinglePartition) 0.0
          else model.fewPartitions(child, layout.numPartitions, usual)
        }.sum)

    walk(plan)
  }

  /** The operators that no shuffle stands between. */
  private def sinceShuffle(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case _: Exchange | _: QueryStageExec => Nil
    case other => other +: other.children.flatMap(sinceShuffle)
  }
}
