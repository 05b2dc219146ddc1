package io.colocate.exchange

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.report.PlanReport
import io.colocate.rule.{ColocateConf, OptionalPhysicalRule}

/**
 * The exchange planner as a rule. With adaptive execution it runs after the planner's strategies and before
 * EnsureRequirements, for the first plan and for each later one. Without it, [[ExchangeStrategy]] calls the
 * rule.
 */
final case class ExchangeRule(adaptive: Boolean) extends OptionalPhysicalRule {

  override def apply(plan: SparkPlan): SparkPlan = {
    val planned = new ExchangePlanner(adaptive, conf, ExchangeHint.of(plan)).plan(plan)
    if (ColocateConf.StrictReasons(conf)) requireReason(planned)
    planned
  }

  override def failed(plan: SparkPlan, error: Throwable): SparkPlan =
    ExchangeFindings.failed(plan, ExchangeRule.Name, error)

  private def requireReason(plan: SparkPlan): Unit = PlanReport.of(plan).foreach { report =>
    require(report.changed || report.kept.nonEmpty, s"declined without a reason:\n$plan")
  }
}

object ExchangeRule {
  val Name = "exchange"
}
