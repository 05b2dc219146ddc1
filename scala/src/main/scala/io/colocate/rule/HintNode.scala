package io.colocate.rule

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project, UnaryNode}
import org.apache.spark.sql.catalyst.trees.TreePattern.{TreePattern, UNRESOLVED_HINT}
import org.apache.spark.sql.catalyst.trees.TreePatternBits
import org.apache.spark.sql.execution.SparkPlan

/** A hint of Colocate in the logical plan: it applies to everything below it, and changes no row. */
trait HintNode extends UnaryNode {
  override def output: Seq[Attribute] = child.output

  // The closest of Spark's patterns; a plan without hints is not searched for it.
  final override val nodePatterns: Seq[TreePattern] = Seq(UNRESOLVED_HINT)
}

object HintNode {

  /** False for a plan without a hint; checks a single bit. */
  def in(plan: TreePatternBits): Boolean = plan.containsPattern(UNRESOLVED_HINT)

  /**
   * Optimisation: moves a hint up through operators that only filter, project or aggregate rows, so that
   * predicates and projections above it still reach the joins and tables below.
   * {{{
   *   Filter (a.x > 1)              MultiwayHint
   *   +- MultiwayHint        =>     +- Filter (a.x > 1)
   *      +- Join                       +- Join
   * }}}
   * Valid as a hint refers to nothing in the plan. Counter-example: a hint above one side of a join,
   * which does not apply to the other side.
   */
  object Lift extends PlanRule[LogicalPlan, LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(in(_)) {
      case node @ (_: Project | _: Filter | _: Aggregate) =>
        node.children.head match {
          case hint: HintNode =>
            hint.withNewChildren(Seq(node.withNewChildren(hint.children)))
          case _ => node
        }
    }
  }

  /** Planning: the node adds no operator. */
  object Plan extends PlanRule[LogicalPlan, Seq[SparkPlan]] with PlansLater {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case hint: HintNode => Seq(planLater(hint.child))
      case _ => Nil
    }
  }
}
