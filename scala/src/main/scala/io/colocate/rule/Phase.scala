package io.colocate.rule

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, SparkStrategy}

/**
 * A phase of a query in which Spark runs the rules of an extension.
 *
 * @param title the name in the documentation
 */
sealed abstract class Phase[In, Out](val title: String) {

  /** Makes Spark run a rule in this phase. */
  def inject(
      extensions: SparkSessionExtensions,
      name: String,
      rule: SparkSession => In => Out): Unit
}

object Phase {
  type Logical = Phase[LogicalPlan, LogicalPlan]
  type Physical = Phase[SparkPlan, SparkPlan]

  /** Before names are resolved. */
  val Hints: Logical = rewriting("hints", _.injectHintResolutionRule(_))
  val Analysis: Logical = rewriting("analysis", _.injectResolutionRule(_))
  val AfterAnalysis: Logical = rewriting("after analysis", _.injectPostHocResolutionRule(_))

  /** Before Spark looks for cached data. */
  val Normalisation: Logical = rewriting("normalisation", _.injectPlanNormalizationRule(_))
  val Optimizer: Logical = rewriting("optimizer", _.injectOptimizerRule(_))

  /** Once filters and columns are pushed down, before cost-based optimisation. */
  val BeforeCosts: Logical = rewriting("before costs", _.injectPreCBORule(_))

  val Strategies: Phase[LogicalPlan, Seq[SparkPlan]] =
    new Phase[LogicalPlan, Seq[SparkPlan]]("planner strategies") {
      override def inject(
          extensions: SparkSessionExtensions,
          name: String,
          rule: SparkSession => LogicalPlan => Seq[SparkPlan]): Unit =
        extensions.injectPlannerStrategy(session => new Strategy(rule(session)))
    }

  /** Only with adaptive execution: before EnsureRequirements, at the first and at each later planning. */
  val AfterPlanner: Physical =
    planning("after the planner", (e, rule) => e.injectQueryPostPlannerStrategyRule(rule))

  /** Only with adaptive execution: before a query's stages are made. */
  val StagePreparation: Physical =
    planning("stage preparation", (e, rule) => e.injectQueryStagePrepRule(rule))

  /** With adaptive execution and without, after exchanges are in the plan. */
  val Columnar: Physical = planning("columnar rules",
    (e, rule) => e.injectColumnar(session => new BeforeTransitions(rule(session))))

  /** All phases, in the order of a query. */
  val all: Seq[Phase[_, _]] = Seq(Hints, Analysis, AfterAnalysis, Normalisation, Optimizer,
    BeforeCosts, Strategies, AfterPlanner, StagePreparation, Columnar)

  private type Add[Plan <: QueryPlan[Plan]] =
    (SparkSessionExtensions, SparkSession => Rule[Plan]) => Unit

  private def rewriting(title: String, add: Add[LogicalPlan]): Logical = adding(title, add)

  private def planning(title: String, add: Add[SparkPlan]): Physical = adding(title, add)

  private def adding[Plan <: QueryPlan[Plan]](title: String, add: Add[Plan]): Phase[Plan, Plan] =
    new Phase[Plan, Plan](title) {
      override def inject(
          extensions: SparkSessionExtensions,
          name: String,
          rule: SparkSession => Plan => Plan): Unit =
        add(extensions, session => new Rewrite(name, rule(session)))
    }

  /** The rule as Spark sees it: Spark's log of plan changes and its metrics of rules show our name. */
  final private class Rewrite[Plan <: QueryPlan[Plan]](name: String, rule: Plan => Plan)
      extends Rule[Plan] {
    override val ruleName: String = s"io.colocate.$name"
    override def apply(plan: Plan): Plan = rule(plan)
  }

  final private class Strategy(rule: LogicalPlan => Seq[SparkPlan]) extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = rule(plan)
  }

  final private class BeforeTransitions(rule: Rule[SparkPlan]) extends ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = rule
  }
}
