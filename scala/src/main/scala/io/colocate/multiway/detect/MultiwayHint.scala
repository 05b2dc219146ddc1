package io.colocate.multiway.detect

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

/**
 * The hint that asks for a multiway join wherever one is correct:
 * {{{
 *   SELECT /*+ MULTIWAY */ ...        df.hint("multiway")
 * }}}
 * It stands in the logical plan until the joins are looked at, and means all that is below it.
 */
case class MultiwayHint(child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): LogicalPlan =
    copy(child = newChild)
}

object MultiwayHint {

  private val Name = "multiway"

  /** Analysis: the hint as written becomes a node of ours. */
  object Resolve extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
      case UnresolvedHint(name, Nil, child) if name.equalsIgnoreCase(Name) => MultiwayHint(child)
      case UnresolvedHint(name, parameters, _) if name.equalsIgnoreCase(Name) =>
        throw new IllegalArgumentException(
          s"[COLOCATE_INVALID_HINT] MULTIWAY has no arguments, but was given ${parameters.length}.")
    }
  }

  /**
   * Optimisation: the hint goes up through what only looks at rows, so that predicates and projections
   * above it still reach the joins below.
   * {{{
   *   Filter (a.x > 1)              MultiwayHint
   *   +- MultiwayHint        =>     +- Filter (a.x > 1)
   *      +- Join                       +- Join
   * }}}
   */
  object Raise extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
      case p @ Project(_, MultiwayHint(child)) => MultiwayHint(p.copy(child = child))
      case f @ Filter(_, MultiwayHint(child)) => MultiwayHint(f.copy(child = child))
      case a @ Aggregate(_, _, MultiwayHint(child), _) => MultiwayHint(a.copy(child = child))
      case MultiwayHint(below: MultiwayHint) => below
    }
  }

  /** Planning: where no rule has taken it out, it does nothing. */
  object Plan extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case MultiwayHint(child) => Seq(planLater(child))
      case _ => Nil
    }
  }
}
