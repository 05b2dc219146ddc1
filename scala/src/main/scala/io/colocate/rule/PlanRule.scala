package io.colocate.rule

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{PlanLater, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

/**
 * A rule of Colocate. It is not one of Spark's rules, so that it can be handed to Spark only through the
 * table of [[RuleRow]]s, whose runner is [[RuleRunner]].
 *
 * @tparam In  the plan that Spark hands to the rule
 * @tparam Out the rule's result: a plan, or the candidates of a strategy
 */
trait PlanRule[In, Out] {
  def apply(plan: In): Out

  protected def conf: SQLConf = SQLConf.get
}

/** A rule that Spark can do without: it has a switch, and an error in it makes no query fail. */
trait OptionalRule[In, Out] extends PlanRule[In, Out] {

  /**
   * False if the plan has nothing for the rule. Checked before any setting is read, as the plan may be
   * the statement that corrects a wrong value.
   */
  def concerns(plan: In): Boolean

  /** The result that Spark alone has. */
  def without(plan: In): Out

  /** The same after an error, with a reason for explain(). */
  def failed(plan: In, error: Throwable): Out
}

/** Rewrites a logical plan, which Spark alone leaves unchanged. */
trait OptionalLogicalRule extends OptionalRule[LogicalPlan, LogicalPlan] {
  override def concerns(plan: LogicalPlan): Boolean = Statements.hasQuery(plan)
  override def without(plan: LogicalPlan): LogicalPlan = plan
}

/** Rewrites a physical plan. One without children has nothing to rewrite. */
trait OptionalPhysicalRule extends OptionalRule[SparkPlan, SparkPlan] {
  override def concerns(plan: SparkPlan): Boolean = plan.children.nonEmpty
  override def without(plan: SparkPlan): SparkPlan = plan
}

/** Plans an operator in its own way; if it has no result, Spark tries its next strategy. */
trait OptionalStrategy extends OptionalRule[LogicalPlan, Seq[SparkPlan]] with PlansLater {
  override def without(plan: LogicalPlan): Seq[SparkPlan] = Nil
}

/** Leaves a child to Spark's planner, as Spark's own strategies do. */
trait PlansLater {
  protected def planLater(plan: LogicalPlan): SparkPlan = PlanLater(plan)
}
