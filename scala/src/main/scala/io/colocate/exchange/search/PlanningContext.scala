package io.colocate.exchange.search

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.EnsureRequirements
import org.apache.spark.sql.internal.SQLConf

import io.colocate.claims.declared.DeclaredTables
import io.colocate.exchange.cost.{CostModel, FewerKeysGuard, Mode, PlanCost, SharedSubplans}
import io.colocate.exchange.memory.{PlanMemory, Settled}
import io.colocate.facts.estimated.Estimates
import io.colocate.facts.proved.Proofs
import io.colocate.report.Finding

/** The inputs of one planning: proofs, costs, the guard, skew, and earlier choices. */
final class PlanningContext(
    plan: SparkPlan,
    memory: PlanMemory,
    adaptive: Boolean,
    conf: SQLConf,
    hint: Option[String]) {

  private val declared = new DeclaredTables(conf)
  val proofs = new Proofs(declared)
  private val estimates = new Estimates(proofs)
  private val skew = new SkewedStages(adaptive, conf)

  val model = new CostModel(estimates)
  val guard = new FewerKeysGuard(Mode.of(conf, hint), proofs, estimates, model, conf)
  val usualPartitions: Int = conf.numShufflePartitions
  val reused: Boolean = conf.exchangeReuseEnabled

  /** Tables of which something is declared that cannot be read. */
  def unreadable: Seq[Finding] = declared.unreadable

  /** Skewed stages that Spark may split. */
  val skewed: Seq[Finding] = skew.seen(plan)

  /** The plan with the shuffles and sorts that Spark adds. */
  def completed(plan: SparkPlan): SparkPlan =
    EnsureRequirements(optimizeOutRepartition = !adaptive).apply(plan)

  /** The shuffles of a complete plan and their cost. */
  def priced(complete: SparkPlan, sharing: SharedSubplans): PlanCost =
    PlanCost.of(complete, model, sharing, usualPartitions)

  def context(sharing: SharedSubplans): SearchContext =
    new SearchContext(proofs, estimates, model, guard, sharing, skew, new Settled(memory), conf)
}
