package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec

/**
 * Whether a later planning of a query has anything to do. Adaptive execution plans the rest of a
 * query after every stage; to ask this is a walk over the plan, to search it is many.
 *
 * A search is worth it where
 *  - a shuffle that was chosen earlier is not among the finished stages yet, and must be met again;
 *  - a claim was, or is needed now: claims are not part of what is planned again;
 *  - the guard refused a layout whose shuffle has not begun, and what run time tells would let it pass.
 *
 * Otherwise Spark, which sees the layouts of stages by itself, comes to what the search would choose.
 * It may miss a chance that only the sizes of finished stages open; that costs a shuffle, as in Spark
 * alone.
 */
final class Revisit(memory: PlanMemory, guard: Guard) {

  def isWorthIt(plan: SparkPlan): Boolean =
    memory.claimed || memory.unseen || !Revisit.keepsLayouts(plan) ||
      plan.exists(operator => operator.children.indices.exists(mayChange(operator, _)))

  private def mayChange(operator: SparkPlan, i: Int): Boolean = {
    val child = operator.children(i)
    Need.keys(operator, i).filterNot(_ => isShuffled(child)).exists { required =>
      memory.adopted && memory.keys(operator, i, required).nonEmpty ||
      memory.refused.exists { refusal =>
        refusal.child == i && Layouts.sameKeys(refusal.required, required) &&
        guard(child, refusal.keys, required, refusal.n, exact = false).isRight
      }
    }
  }

  /** True where the rows have been shuffled for the operator above. */
  private def isShuffled(plan: SparkPlan): Boolean = plan match {
    case _: ShuffleQueryStageExec => true
    case sort: SortExec => isShuffled(sort.child)
    case _ => false
  }
}

object Revisit {

  /**
   * True where Spark sees by itself that rows lie as they must. It forgets so where partitions are
   * joined that were hashed on functions of the keys, unless the search puts a claim above them.
   */
  def keepsLayouts(plan: SparkPlan): Boolean = !plan.exists {
    case stage: ShuffleQueryStageExec =>
      Layouts.hashes(stage.outputPartitioning).exists(!_.keys.forall(_.isInstanceOf[Attribute]))
    case _ => false
  }
}
