package io.colocate.exchange

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage

import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.facts.estimated.EstimatedShuffles
import io.colocate.report.{Findings, WholeQuery}
import io.colocate.rule.{OptionalStrategy, RulePart, RuleRunner, RuleTimes, Statements, Switch}

/**
 * Sees the root of every query and of every subquery before Spark plans it, and checks whether the parts of
 * a query share shuffles ([[SharedShuffles]]).
 *
 * If adaptive execution is off it also plans the exchanges, because then no rule can run before
 * EnsureRequirements: it lets Spark's planner plan the query, stepping aside itself, and hands the finished
 * plan to the exchange planner. Streaming queries are left alone: they have a planner of their own, which
 * keeps their state.
 */
final class ExchangeStrategy(session: SparkSession) extends OptionalStrategy {
  import ExchangeStrategy._

  private val exchanges =
    RuleRunner.optional(ExchangeRule.Name, Switch.Exchange, ExchangeRule(adaptive = false))

  override def concerns(plan: LogicalPlan): Boolean = plan match {
    case answer: ReturnAnswer =>
      now.get != SparkAlone && !answer.isStreaming && Statements.hasQuery(answer.child)
    case _ => false
  }

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case answer: ReturnAnswer =>
      if (now.get == Query && !isAgain(answer) && !WholeQuery.known(answer.child)) lookAtAll(answer)
      if (conf.adaptiveExecutionEnabled) Nil else Seq(planned(answer))
    case _ => Nil
  }

  override def failed(plan: LogicalPlan, error: Throwable): Seq[SparkPlan] = {
    plan.children.foreach(query =>
      Findings.put(query, ExchangeFindings.failure(query.nodeName, "exchange-strategy", error)))
    Nil
  }

  /** True if adaptive execution plans the rest of a query; the whole query was examined before. */
  private def isAgain(answer: ReturnAnswer): Boolean =
    answer.exists(_.isInstanceOf[LogicalQueryStage])

  /** An error here loses the comparison of the whole query, not the exchanges of each part. */
  private def lookAtAll(answer: ReturnAnswer): Unit =
    RuleRunner.part(RulePart.WholeQuery)(()) {
      SharedShuffles.note(answer.child) { colocate =>
        as(if (colocate) Counted else SparkAlone) {
          EstimatedShuffles.of(classic, conf) {
            if (colocate) planned(answer) else planner.plan(answer).next()
          }
        }
      }
    }(_ => ())

  private def planned(answer: ReturnAnswer): SparkPlan = {
    def alone = as(SparkAlone)(planner.plan(answer).next())
    // A plan that is made only to count shuffles is not part of Spark's planning time.
    exchanges(if (now.get == Query) RuleTimes.ofSpark(alone) else alone)
  }

  private def classic = session.asInstanceOf[ClassicSession]
  private def planner = classic.sessionState.planner
}

object ExchangeStrategy {

  /** What is being planned on this thread. */
  sealed private trait Now
  private case object Query extends Now

  /** A query that is planned only to count its shuffles. */
  private case object Counted extends Now

  /** A query, or a part of one, whose partitionings are left to Spark. */
  private case object SparkAlone extends Now

  private val now = ThreadLocal.withInitial[Now](() => Query)

  private def as[T](what: Now)(body: => T): T = {
    val before = now.get
    now.set(what)
    try body
    finally now.set(before)
  }
}
