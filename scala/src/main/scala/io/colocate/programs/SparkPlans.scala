package io.colocate.programs

import org.apache.spark.sql.catalyst.expressions.{DynamicPruning, PlanExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.SparkAlone

/**
 * Plans of Spark alone, as its planner makes them, without shuffles and without adaptive execution. Nothing is
 * run.
 *
 * @param like the session whose settings hold
 */
final class SparkPlans(like: SparkSession) {

  val session: SparkSession = {
    val alone = SparkAlone.like(like)
    alone.sessionState.conf.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, false)
    alone
  }

  /** The plan of a query that is parsed or analysed. One that cannot be analysed raises Spark's error. */
  def of(query: LogicalPlan): SparkPlan = {
    val analysed = like.sessionState.executePlan(query, CommandExecutionMode.SKIP).analyzed
    planned(session.sessionState.executePlan(analysed, CommandExecutionMode.SKIP).sparkPlan)
  }

  /** The operators of a query and of its subqueries. */
  private[programs] def operators(plan: SparkPlan): Seq[SparkPlan] = plan.collect { case operator =>
    operator +: subqueries(operator).flatMap(operators)
  }.flatten

  /** The plan of a query that Spark alone has optimised. */
  def ofOptimized(query: LogicalPlan): SparkPlan = planned {
    QueryExecution.createSparkPlan(session.sessionState.planner, query.clone())
  }

  /** The queries inside an operator's expressions. One that only prunes files reads what the join beside it reads. */
  private[programs] def subqueries(operator: SparkPlan): Seq[SparkPlan] =
    operator.expressions.flatMap(_.collect {
      case expression: PlanExpression[_] if !expression.isInstanceOf[DynamicPruning] =>
        expression.plan
    }).collect { case query: LogicalPlan => ofOptimized(query) }

  private def planned(plan: => SparkPlan): SparkPlan =
    SQLConf.withExistingConf(session.sessionState.conf)(plan)
}
