package io.colocate.rule

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project, UnaryNode}
import org.apache.spark.sql.catalyst.trees.TreePattern.{TreePattern, UNRESOLVED_HINT}
import org.apache.spark.sql.catalyst.trees.TreePatternBits
import org.apache.spark.sql.execution.SparkPlan

/** A hint of ours in the logical plan: it means what is below it, and changes no row. */
trait HintNode extends UnaryNode {
  override def output: Seq[Attribute] = child.output

  // Of Spark's patterns the one that says what this is; a plan without hints is not searched for it.
  final override val nodePatterns: Seq[TreePattern] = Seq(UNRESOLVED_HINT)
}

object HintNode {

  /** False of a plan without a hint, at the price of one bit. */
  def in(plan: TreePatternBits): Boolean = plan.containsPattern(UNRESOLVED_HINT)

  /**
   * Optimisation: a hint goes up through what only looks at rows, so that predicates and projections
   * above it still reach the joins and tables below.
   * {{{
   *   Filter (a.x > 1)              MultiwayHint
   *   +- MultiwayHint        =>     +- Filter (a.x > 1)
   *      +- Join                       +- Join
   * }}}
   * Valid as a hint names nothing of the plan. Counter-example: a hint above one side of a join, which
   * does not mean the other side.
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
