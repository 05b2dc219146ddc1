package io.colocate.sparksuites

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.memory.Round
import io.colocate.report.PlanReport

/**
 * An extension to be named after Colocate's: it counts the plans that the planner saw, and those that
 * it changed. With adaptive execution it looks right behind the planner, at the first plan of each
 * query; without, where the plan is about to be executed.
 */
final class CountPlans extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectQueryPostPlannerStrategyRule(_ => CountPlans.Adaptive)
    extensions.injectColumnar(_ => CountPlans.NotAdaptive)
  }
}

object CountPlans {
  private val plans = new AtomicInteger
  private val changed = new AtomicInteger

  def seen: Counted = Counted(plans.get, changed.get)

  /** What is broadcast is planned, and reported on, before the rest of its query. */
  private def count(plan: SparkPlan): Unit = {
    val reports = plan.collect { case p => PlanReport.of(p) }.flatten
    if (reports.nonEmpty) plans.incrementAndGet()
    if (reports.exists(_.changed)) changed.incrementAndGet()
  }

  private object Adaptive extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = {
      if (!Round.isAgain(plan)) count(plan)
      plan
    }
  }

  private object NotAdaptive extends ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = new Rule[SparkPlan] {
      override def apply(plan: SparkPlan): SparkPlan = {
        if (!SQLConf.get.adaptiveExecutionEnabled) count(plan)
        plan
      }
    }
  }
}

/** Plans that the planner saw, and those that it changed. */
final case class Counted(plans: Int, changed: Int) {
  def -(earlier: Counted): Counted = Counted(plans - earlier.plans, changed - earlier.changed)
}
