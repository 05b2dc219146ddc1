package io.colocate.explain.plan

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.execution.{CommandResultExec, ReusedSubqueryExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

/**
 * Walks physical plans. Spark's own `collect` stops at the wrappers of adaptive execution, which it treats
 * as leaves, and does not enter subqueries:
 * {{{
 *   AdaptiveSparkPlan            children(..) = current plan
 *   +- ResultQueryStage          children(..) = plan of the stage
 *      +- ShuffleQueryStage      children(..) = its Exchange
 * }}}
 * The plan of a cached table is not entered: it belongs to the query that filled the cache. The target of a
 * ReusedExchange or a ReusedSubquery is not entered either, because it is met where it is computed.
 */
object PlanWalk {

  /** The nodes below one node, looking through the wrappers of adaptive execution. */
  def children(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case adaptive: AdaptiveSparkPlanExec => Seq(adaptive.executedPlan)
    case stage: QueryStageExec => Seq(stage.plan)
    case result: CommandResultExec => Seq(result.commandPhysicalPlan)
    case other => other.children
  }

  /** The nodes of a plan top-down, each once, without those of its subqueries. */
  def nodes(root: SparkPlan): Seq[SparkPlan] = {
    val found = ArrayBuffer.empty[SparkPlan]
    val seen = newIdentitySet
    def visit(plan: SparkPlan): Unit = if (seen.add(plan)) {
      found += plan
      children(plan).foreach(visit)
    }
    visit(root)
    found.toSeq
  }

  /** The plan itself, then each subquery that is computed in it or in one of its subqueries. */
  def parts(plan: SparkPlan): Seq[SparkPlan] = {
    val found = ArrayBuffer.empty[SparkPlan]
    val seen = newIdentitySet
    def visit(part: SparkPlan): Unit = if (seen.add(part)) {
      found += part
      nodes(part).foreach(node => subqueries(node).foreach(visit))
    }
    visit(plan)
    found.toSeq
  }

  /** Every node of a plan and of its subqueries, each once. */
  def all(plan: SparkPlan): Seq[SparkPlan] = {
    val seen = newIdentitySet
    parts(plan).flatMap(nodes).filter(seen.add)
  }

  /** Every shuffle that a plan computes, without those that it only reuses. */
  def shuffles(plan: SparkPlan): Seq[ShuffleExchangeLike] =
    all(plan).collect { case shuffle: ShuffleExchangeLike => shuffle }

  def isShuffle(plan: SparkPlan): Boolean = plan.isInstanceOf[ShuffleExchangeLike]

  /**
   * The number of shuffles. Before adaptive execution has run, equal shuffles occur in the plan twice and
   * are shared only when stages are created; they count once here too.
   */
  def shuffleCount(plan: SparkPlan): Int =
    if (undecided(plan)) different(all(plan)) else shuffles(plan).size

  /** The number of shuffles among operators; equal ones that Spark shares count once. */
  def different(operators: Seq[SparkPlan]): Int = {
    val found = operators.filter(isShuffle)
    if (found.exists(_.conf.exchangeReuseEnabled)) found.map(_.canonicalized).distinct.size
    else found.size
  }

  /** The adaptive node of a plan, which is the root or, in a write, somewhere below it. */
  def adaptive(plan: SparkPlan): Option[AdaptiveSparkPlanExec] = plan match {
    case found: AdaptiveSparkPlanExec => Some(found)
    case other => children(other).iterator.map(adaptive).collectFirst { case Some(found) => found }
  }

  /** True while adaptive execution may still change the plan. */
  def undecided(plan: SparkPlan): Boolean = adaptive(plan).exists(!_.isFinalPlan)

  private def subqueries(node: SparkPlan): Seq[SparkPlan] =
    node.subqueries.filterNot(_.isInstanceOf[ReusedSubqueryExec])

  private def newIdentitySet: java.util.Set[SparkPlan] =
    Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
}
