package io.colocate.exchange.replan

import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.exchange.cost.FewerKeysGuard
import io.colocate.exchange.memory.PlanMemory
import io.colocate.exchange.partitioning.{ColocateLayoutClaim, Requirement}

/**
 * What a later planning of a query has to do. Adaptive execution plans the rest of a query after
 * every stage; to ask this is a walk over the plan, to search it is many.
 *
 * The query is searched again where
 *  - a join that was shuffled by choice has become a broadcast join: what is above it may lie otherwise;
 *  - the guard refused a layout whose shuffle has not begun, and what run time tells would let it pass;
 *  - Spark was told of a layout by the choice ([[Claim]]).
 *
 * Otherwise what was chosen at first is put in its place ([[Replay]]). A chance that only the sizes of
 * finished stages open may be missed; that costs a shuffle, as in Spark alone.
 */
object Revisit {

  def mustSearch(plan: SparkPlan, memory: PlanMemory, guard: FewerKeysGuard): Boolean =
    memory.claimed || memory.unseen || memory.changedJoin(plan) ||
      memory.refused.nonEmpty &&
      plan.exists(p => p.children.indices.exists(passes(p, _, memory, guard)))

  /** True where the guard refused a layout of these rows, and would not now. */
  private def passes(
      operator: SparkPlan,
      i: Int,
      memory: PlanMemory,
      guard: FewerKeysGuard): Boolean = {
    val child = operator.children(i)
    Requirement.keys(operator, i).filterNot(_ => isShuffled(child)).exists { required =>
      memory.refused.exists { refusal =>
        refusal.edge == PlanMemory.edge(operator, i, required) &&
        guard(child, refusal.keys, required, refusal.n, exact = false).isRight
      }
    }
  }

  /** True where the rows have been shuffled for the operator above. */
  def isShuffled(plan: SparkPlan): Boolean = plan match {
    case _: ShuffleQueryStageExec | _: ShuffleExchangeLike => true
    case sort: SortExec => isShuffled(sort.child)
    case claim: ColocateLayoutClaim => isShuffled(claim.child)
    case _ => false
  }
}
