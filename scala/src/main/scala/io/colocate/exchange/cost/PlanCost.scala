package io.colocate.exchange.cost

import org.apache.spark.sql.catalyst.plans.physical.{RangePartitioning, SinglePartition}
import org.apache.spark.sql.execution.{CollectMetricsExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeLike}

import io.colocate.exchange.partitioning.{HashPartitionings, Requirement}
import io.colocate.report.Shuffles

/**
 * The shuffles of a whole plan and their cost; each shared shuffle counts once.
 *
 * @param exchanges number of shuffles
 * @param bytes     estimated bytes that they move
 * @param cost      of the shuffles, see [[CostModel]]
 * @param reads     estimated bytes of the plan's inputs, and of shared shuffles that are read again: a
 *                  subplan that is no longer shared is computed once more
 * @param observed  number of observed metrics that sampling for a range partitioning counts twice
 */
final case class PlanCost(
    exchanges: Int,
    bytes: Double,
    cost: Double,
    reads: Double,
    observed: Int) {
  def +(other: PlanCost): PlanCost = PlanCost(exchanges + other.exchanges, bytes + other.bytes,
    cost + other.cost, reads + other.reads, observed + other.observed)

  def shuffles: Shuffles = Shuffles(exchanges, bytes)

  /** True if this plan has more shuffles, or shuffles more bytes, than another plan of the same query. */
  def shufflesMore(other: PlanCost): Boolean =
    exchanges > other.exchanges || bytes > other.bytes * PlanCost.BytesSlack

  /**
   * The cost to compare with that of another plan of the same query: it adds only the difference in bytes
   * read.
   */
  def beside(other: PlanCost): Double = cost + reads - other.reads
}

object PlanCost {

  /** Rounding of estimates. */
  val BytesSlack = 1.001

  val Zero: PlanCost = PlanCost(0, 0, 0, 0, 0)

  /**
   * @param plan    with all its shuffles, as Spark's EnsureRequirements leaves it
   * @param sharing knows which subplans occur only once and need not be compared
   */
  def of(plan: SparkPlan, model: CostModel, sharing: SharedSubplans, usual: Int): PlanCost = {
    val seen = new SeenPlans(sharing)

    def walk(operator: SparkPlan): PlanCost = operator match {
      case e: Exchange if !seen.isNew(e) => again(e)
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

    // The rows of a sample are computed anew from the last shuffles.
    def sampled(s: ShuffleExchangeLike): PlanCost = s.outputPartitioning match {
      case _: RangePartitioning =>
        Zero.copy(observed = sinceShuffle(s.child).count(_.isInstanceOf[CollectMetricsExec]))
      case _ => Zero
    }

    // Reading is half of the work of a shuffle, and never costs more than computing its rows again.
    def again(shared: Exchange): PlanCost = shared match {
      case s: ShuffleExchangeLike =>
        Zero.copy(reads = model.bytes(s.child).min(walk(s.child).reads) / 2)
      case _ => Zero
    }

    // A join in fewer partitions than usual because both inputs already have that partitioning.
    def narrow(operator: SparkPlan): PlanCost =
      if (operator.children.length < 2 || Requirement.of(operator).exists(
          !_.isInstanceOf[Requirement.Aligned]))
        Zero
      else
        Zero.copy(cost = operator.children.map { child =>
          val partitioning = child.outputPartitioning
          if (partitioning == SinglePartition) 0.0
          else model.fewPartitions(child, partitioning.numPartitions, usual)
        }.sum)

    walk(plan)
  }

  /** The operators with no shuffle between them and the root. */
  private def sinceShuffle(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case _: Exchange | _: QueryStageExec => Nil
    case other => other +: other.children.flatMap(sinceShuffle)
  }
}
