package io.colocate.exchange

import scala.collection.mutable

import org.apache.spark.sql.catalyst.plans.physical.SinglePartition
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeLike}

/**
 * What a whole plan shuffles, each shared shuffle counted once.
 *
 * @param exchanges number of shuffles
 * @param bytes     estimated bytes that they move
 * @param cost      see [[CostModel]]
 */
final case class PlanCost(exchanges: Int, bytes: Double, cost: Double) {
  def +(other: PlanCost): PlanCost =
    PlanCost(exchanges + other.exchanges, bytes + other.bytes, cost + other.cost)
}

object PlanCost {

  val Zero: PlanCost = PlanCost(0, 0, 0)

  /**
   * @param plan    with all its shuffles, as Spark's EnsureRequirements leaves it
   * @param sharing knows what occurs only once and need not be compared
   */
  def of(plan: SparkPlan, model: CostModel, sharing: Sharing, usual: Int): PlanCost = {
    val seen = mutable.HashSet.empty[SparkPlan]

    def walk(operator: SparkPlan): PlanCost = operator match {
      case e: Exchange if sharing.mayRepeat(e) && !seen.add(e.canonicalized) => Zero
      case s: ShuffleExchangeLike => shuffle(s) + walk(s.child)
      case other => other.children.map(walk).foldLeft(narrow(other))(_ + _)
    }

    def shuffle(s: ShuffleExchangeLike): PlanCost = {
      val moved = model.bytes(s.child)
      val cost = Layouts.hashes(s.outputPartitioning).headOption
        .fold(CostModel.StartUp + moved)(h => model.shuffle(s.child, h.keys, h.n))
      PlanCost(1, moved, cost)
    }

    // A join in fewer partitions than usual, where both sides were found that way.
    def narrow(operator: SparkPlan): PlanCost =
      if (operator.children.length < 2 || Need.of(operator).exists(!_.isInstanceOf[Need.Aligned]))
        Zero
      else
        Zero.copy(cost = operator.children.map { child =>
          val layout = child.outputPartitioning
          if (layout == SinglePartition) 0.0
          else model.fewPartitions(child, layout.numPartitions, usual)
        }.sum)

    walk(plan)
  }
}
