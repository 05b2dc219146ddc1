package io.colocate.exchange.search

import org.apache.spark.sql.execution.{RemoveRedundantProjects, SparkPlan}
import org.apache.spark.sql.execution.exchange.EnsureRequirements
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.cost.{CostModel, FewerKeysGuard, Mode, PlanCost, SharedSubplans}
import io.colocate.exchange.memory.{Decline, PlanMemory, Settled}
import io.colocate.facts.estimated.Facts

/** What one planning knows before it searches: facts, prices, the guard, skew, and earlier choices. */
final class PlanningContext(
    plan: SparkPlan,
    memory: PlanMemory,
    adaptive: Boolean,
    conf: SQLConf,
    hint: Option[String]) {

  private val facts = new Facts
  private val skew = new SkewedStages(adaptive, conf)

  val model = new CostModel(facts)
  val guard = new FewerKeysGuard(Mode.of(conf, hint), facts, model, conf)
  val usualPartitions: Int = conf.numShufflePartitions
  val reused: Boolean = conf.exchangeReuseEnabled

  /** Skewed stages that Spark may split. */
  val skewed: Seq[Decline] = skew.seen(plan)

  /**
   * The plan with the shuffles and sorts that Spark adds, and without the projects that it drops, which
   * can make two subplans equal.
   */
  def completed(plan: SparkPlan): SparkPlan =
    EnsureRequirements(optimizeOutRepartition = !adaptive).apply(RemoveRedundantProjects(plan))

  /** What a plan shuffles, given all its shuffles. */
  def priced(complete: SparkPlan, sharing: SharedSubplans): PlanCost =
    PlanCost.of(complete, model, sharing, usualPartitions)

  def context(sharing: SharedSubplans): SearchContext =
    new SearchContext(facts, model, guard, sharing, skew, new Settled(memory), conf)
}
