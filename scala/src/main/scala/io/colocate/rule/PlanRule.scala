package io.colocate.rule

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{PlanLater, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

/**
 * What a rule of ours does to a plan. It is none of Spark's rules, so that nobody can hand it to Spark but
 * through the table of [[RuleRow]]s, whose runner is [[RuleRunner]].
 *
 * @tparam In  the plan that Spark hands to the rule
 * @tparam Out what the rule makes of it: a plan, or the candidates of a strategy
 */
trait PlanRule[In, Out] {
  def apply(plan: In): Out

  protected def conf: SQLConf = SQLConf.get
}

/** A rule that Spark can do without: it has a switch, and an error in it costs no query. */
trait OptionalRule[In, Out] extends PlanRule[In, Out] {

  /**
   * False if the plan has nothing for the rule. Asked before any setting is read, as the plan may be the
   * statement that mends a wrong value.
   */
  def concerns(plan: In): Boolean

  /** What Spark alone does. */
  def without(plan: In): Out

  /** The same, with a reason where explain() finds it. */
  def failed(plan: In, error: Throwable): Out = without(plan)
}

/** Rewrites a logical plan, of which Spark alone changes nothing. */
trait OptionalLogicalRule extends OptionalRule[LogicalPlan, LogicalPlan] {
  override def concerns(plan: LogicalPlan): Boolean = Statements.hasQuery(plan)
  override def without(plan: LogicalPlan): LogicalPlan = plan
}

/** Rewrites a physical plan. One without children has nothing to rewrite. */
trait OptionalPhysicalRule extends OptionalRule[SparkPlan, SparkPlan] {
  override def concerns(plan: SparkPlan): Boolean = plan.children.nonEmpty
  override def without(plan: SparkPlan): SparkPlan = plan
}

/** Plans an operator in its own way; where it gives nothing, Spark's next strategy is asked. */
trait OptionalStrategy extends OptionalRule[LogicalPlan, Seq[SparkPlan]] with PlansLater {
  override def without(plan: LogicalPlan): Seq[SparkPlan] = Nil
}

/** Leaves a child to Spark's planner, as Spark's own strategies do. */
trait PlansLater {
  protected def planLater(plan: LogicalPlan): SparkPlan = PlanLater(plan)
}
