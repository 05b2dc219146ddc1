package io.colocate.exchange

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage

import io.colocate.rule.{OptionalStrategy, RuleRunner, RuleTimes, Statements, Switch}

/**
 * Sees the root of every query and of every subquery before Spark plans it. Of a query it asks whether
 * its parts share shuffles ([[WholeQuery]]).
 *
 * Where adaptive execution is off it also plans the exchanges, as no rule can be put before
 * EnsureRequirements then: it lets Spark's planner plan the query, itself stepping aside, and hands the
 * finished plan to the planner of exchanges. A streaming query has a planner of its own, which keeps
 * its state, and is left to it.
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

  /** Adaptive execution plans what is left of a query; how it began was looked at before. */
  private def isAgain(answer: ReturnAnswer): Boolean =
    answer.exists(_.isInstanceOf[LogicalQueryStage])

  /** An error here costs what the parts share, not the exchanges of each. */
  private def lookAtAll(answer: ReturnAnswer): Unit =
    RuleRunner.part("whole-query", Switch.Exchange)(()) {
      WholeQuery.note(answer.child) { colocate =>
        as(if (colocate) Counted else SparkAlone) {
          Shuffles.of(classic, conf) {
            if (colocate) planned(answer) else planner.plan(answer).next()
          }
        }
      }
    }(_ => ())

  private def planned(answer: ReturnAnswer): SparkPlan = {
    def alone = as(SparkAlone)(planner.plan(answer).next())
    // What is planned to be counted, Spark would not have planned.
    exchanges(if (now.get == Query) RuleTimes.ofSpark(alone) else alone)
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
