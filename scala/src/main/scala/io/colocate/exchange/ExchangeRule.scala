package io.colocate.exchange

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.SparkSession

import io.colocate.exchange.memory.ExchangeReport
import io.colocate.rule.{ColocateConf, GuardedRule, Statements}

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
    GuardedRule.rewriting(Name, conf, ColocateConf.exchangeOn)(plan) {
      val planned = new ExchangePlanner(adaptive, conf, ExchangeHint.of(plan)).plan(plan)
      if (ColocateConf.StrictReasons(conf)) requireReason(planned)
      planned
    }(ExchangeReport.failed(plan, Name, _))

  private def requireReason(plan: SparkPlan): Unit = ExchangeReport.of(plan).foreach { report =>
    require(report.changed || report.declines.nonEmpty, s"declined without a reason:\n$plan")
  }
}

/**
 * Sees the root of every query and of every subquery before Spark plans it. Of a query it asks whether
 * its parts share shuffles ([[WholeQuery]]).
 *
 * Where adaptive execution is off it also plans the exchanges, as no rule can be put before
 * EnsureRequirements then: it lets Spark's planner plan the query, itself stepping aside, and hands the
 * finished plan to the planner of exchanges. A streaming query has a planner of its own, which keeps
 * its state, and is left to it.
 */
final class ExchangeStrategy(session: SparkSession) extends SparkStrategy {
  import ExchangeStrategy._

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case answer: ReturnAnswer
        if now.get != SparkAlone && Statements.hasQuery(answer.child) &&
          ColocateConf.exchangeOn(SQLConf.get) && !answer.isStreaming =>
      if (now.get == Query && !isAgain(answer) && !WholeQuery.known(answer.child)) lookAtAll(answer)
      if (SQLConf.get.adaptiveExecutionEnabled) Nil else Seq(planned(answer))
    case _ => Nil
  }

  /** Adaptive execution plans what is left of a query; how it began was looked at before. */
  private def isAgain(answer: ReturnAnswer): Boolean =
    answer.exists(_.isInstanceOf[LogicalQueryStage])

  private def lookAtAll(answer: ReturnAnswer): Unit =
    GuardedRule("subqueries", SQLConf.get, ColocateConf.exchangeOn)(()) {
      WholeQuery.note(answer.child) { colocate =>
        as(if (colocate) Counted else SparkAlone) {
          Shuffles.of(classic, SQLConf.get) {
            if (colocate) planned(answer) else planner.plan(answer).next()
          }
        }
      }
    }(_ => ())

  private def planned(answer: ReturnAnswer): SparkPlan = {
    val plan = as(SparkAlone)(planner.plan(answer).next())
    ExchangeRule.run(plan, SQLConf.get, adaptive = false)
  }

  private def classic = session.asInstanceOf[ClassicSession]
  private def planner = classic.sessionState.planner
}

object ExchangeStrategy {

  /** What is being planned on this thread. */
  sealed private trait Now
  private case object Query extends Now

  /** A query that is planned to be counted. */
  private case object Counted extends Now

  /** A query, or a part of one, whose layouts are left to Spark. */
  private case object SparkAlone extends Now

  private val now = ThreadLocal.withInitial[Now](() => Query)

  private def as[T](what: Now)(body: => T): T = {
    val before = now.get
    now.set(what)
    try body
    finally now.set(before)
  }
}
