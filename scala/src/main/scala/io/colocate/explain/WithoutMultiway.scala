package io.colocate.explain

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.reuse.ReuseExchangeAndSubquery
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.Shuffles
import io.colocate.multiway.detect.BeforeMultiway

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
  } yield Shuffles.of(planned(SparkAlone.like(session), before))

  private def planned(alone: SparkSession, query: LogicalPlan): SparkPlan = {
    val state = alone.sessionState
    state.conf.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, false)
    SQLConf.withExistingConf(state.conf) {
      val plan = QueryExecution.createSparkPlan(state.planner, state.optimizer.execute(query))
      ReuseExchangeAndSubquery(QueryExecution.prepareExecutedPlan(alone, plan))
    }
  }
}
