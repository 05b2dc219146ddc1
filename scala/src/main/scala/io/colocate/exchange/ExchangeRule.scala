package io.colocate.exchange

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.SparkSession

import io.colocate.{ColocateConf, GuardedRule}

/**
 * The exchange planner where adaptive execution is on: after the planner's strategies, before
 * EnsureRequirements, for the initial plan and for every re-planning.
 */
final case class ExchangeRule() extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan =
    ExchangeRule.run(plan, SQLConf.get, adaptive = true)
}

object ExchangeRule {

  val Name = "exchange"

  def run(plan: SparkPlan, conf: SQLConf, adaptive: Boolean): SparkPlan =
    GuardedRule(Name, conf, ColocateConf.exchangeOn)(plan) {
      val planned = new ExchangePlanner(adaptive, conf, ExchangeHint.of(plan)).plan(plan)
      if (ColocateConf.StrictReasons(conf)) requireReason(planned)
      planned
    }(ExchangeReport.failed(plan, Name, _))

  private def requireReason(plan: SparkPlan): Unit = ExchangeReport.of(plan).foreach { report =>
    require(report.changed || report.declines.nonEmpty, s"declined without a reason:\n$plan")
  }
}

/**
 * The exchange planner where adaptive execution is off. There no rule can be put before
 * EnsureRequirements, but a strategy sees the root of every query: it lets Spark's planner plan the
 * query (itself stepping aside, hence the flag) and hands the finished plan to the planner of
 * exchanges. A streaming query has a planner of its own, which keeps its state, and is left to it.
 */
final class ExchangeStrategy(session: SparkSession) extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case answer: ReturnAnswer if !ExchangeStrategy.planning.get && applies && !answer.isStreaming =>
      ExchangeStrategy.planning.set(true)
      val planned =
        try session.asInstanceOf[ClassicSession].sessionState.planner.plan(answer).next()
        finally ExchangeStrategy.planning.set(false)
      Seq(ExchangeRule.run(planned, SQLConf.get, adaptive = false))
    case _ => Nil
  }

  private def applies: Boolean =
    !SQLConf.get.adaptiveExecutionEnabled && ColocateConf.exchangeOn(SQLConf.get)
}

object ExchangeStrategy {
  private val planning = ThreadLocal.withInitial[Boolean](() => false)
}
