package io.colocate.exchange.replan

import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.exchange.claims.ColocateClaim
import io.colocate.exchange.cost.FewerKeysGuard
import io.colocate.exchange.memory.PlanMemory
import io.colocate.exchange.partitioning.Requirement

/**
 * Decides what a later planning of a query must do. Adaptive execution plans the rest of a query after
 * every stage; this check walks the plan once, a search many times.
 *
 * The query is searched again if
 *  - a join that was shuffled by choice has become a broadcast join: the rows above it may have another
 *    partitioning;
 *  - the guard refused a partitioning whose shuffle has not begun, and run-time statistics would now permit
 *    it;
 *  - joins compared more columns than the query's.
 *
 * Otherwise the first choices are inserted again ([[Replay]]), and what was declared to Spark is declared
 * again; if Spark then adds a shuffle that the first choice did without, the query is searched after all.
 * This may miss a chance that only the sizes of finished stages open; that costs a shuffle, as in Spark
 * alone.
 */
object Revisit {

  def mustSearch(plan: SparkPlan, memory: PlanMemory, guard: FewerKeysGuard): Boolean =
    memory.carried || memory.unseen || memory.changedJoin(plan) ||
      memory.refused.nonEmpty &&
      plan.exists(p => p.children.indices.exists(passes(p, _, memory, guard)))

  /** True if the guard refused a partitioning of these rows and would permit it now. */
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

  /** True if the rows have been shuffled for the operator above. */
  def isShuffled(plan: SparkPlan): Boolean = plan match {
    case _: ShuffleQueryStageExec | _: ShuffleExchangeLike => true
    case sort: SortExec => isShuffled(sort.child)
    case claim: ColocateClaim => isShuffled(claim.child)
    case _ => false
  }
}
