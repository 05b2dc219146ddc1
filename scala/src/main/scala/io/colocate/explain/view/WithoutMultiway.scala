package io.colocate.explain.view

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.QueryExecution

import io.colocate.exchange.Shuffles
import io.colocate.explain.plan.PlanWalk
import io.colocate.multiway.graph.BeforeMultiway
import io.colocate.rule.{RuleRunner, Switch}

/**
 * What Spark alone shuffles for a query with multiway joins. Theirs is the one change that is made
 * before the query is planned, so the joins that they replaced have to be planned to be counted.
 */
private[explain] object WithoutMultiway {

  /** @param parts of a query, see [[PartReport]]; none where no joins were replaced */
  def shuffles(parts: Seq[PartReport]): Option[Shuffles] = for {
    session <- parts.flatMap(p => Option(p.plan.session)).headOption
    query <- PlanWalk.nodes(parts.head.plan).flatMap(_.logicalLink).headOption
    before <- BeforeMultiway.of(query)
    found <- guarded(session)(alone(SparkAlone.like(session), before))
  } yield found

  /** A failure costs this count, not the section of explain() that it is a part of. */
  private def guarded(session: SparkSession)(count: => Shuffles): Option[Shuffles] =
    RuleRunner.part("count-without-multiway", Switch.Multiway, session.sessionState.conf)(
      Option.empty[Shuffles])(Some(count))(_ => None)

  private def alone(session: SparkSession, query: LogicalPlan): Shuffles = {
    val state = session.sessionState
    Shuffles.of(session, state.conf) {
      QueryExecution.createSparkPlan(state.planner, state.optimizer.execute(query))
    }
  }
}
