package io.colocate.explain.view

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.QueryExecution

import io.colocate.explain.plan.PlanWalk
import io.colocate.facts.estimated.EstimatedShuffles
import io.colocate.report.{BeforeRewrite, Shuffles}
import io.colocate.rule.{RulePart, RuleRunner, SparkAlone}

/**
 * The shuffles of Spark alone for a query whose operators were replaced before it was planned. The original
 * query must be planned to count them.
 */
private[explain] object WithoutRewrites {

  /** The shuffles, None if no operators were replaced. `parts` are those of a query, see [[PartReport]]. */
  def shuffles(parts: Seq[PartReport]): Option[Shuffles] = for {
    session <- parts.flatMap(p => Option(p.plan.session)).headOption
    query <- PlanWalk.nodes(parts.head.plan).flatMap(_.logicalLink).headOption
    before <- BeforeRewrite.of(query)
    found <- guarded(session)(alone(SparkAlone.like(session), before))
  } yield found

  /** A failure loses this count, not the section of explain() that contains it. */
  private def guarded(session: SparkSession)(count: => Shuffles): Option[Shuffles] =
    RuleRunner.part(RulePart.CountWithoutRewrites, session.sessionState.conf)(
      Option.empty[Shuffles])(Some(count))(_ => None)

  private def alone(session: SparkSession, query: LogicalPlan): Shuffles = {
    val state = session.sessionState
    EstimatedShuffles.of(session, state.conf) {
      QueryExecution.createSparkPlan(state.planner, state.optimizer.execute(query))
    }
  }
}
