package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnresolvedHint}
import org.apache.spark.sql.catalyst.trees.TreePattern.UNRESOLVED_HINT

import io.colocate.rule.{HintNode, PlanRule}

/**
 * The hint that asks for a multiway join wherever one is correct:
 * {{{
 *   SELECT /*+ MULTIWAY */ ...        df.hint("multiway")
 * }}}
 * It stays in the logical plan until the joins are searched, and applies to everything below it.
 */
case class MultiwayHint(child: LogicalPlan) extends HintNode {
  override protected def withNewChildInternal(newChild: LogicalPlan): LogicalPlan =
    copy(child = newChild)
}

object MultiwayHint {

  private val Name = "multiway"

  /** Analysis: replaces the parsed hint with a [[MultiwayHint]]. */
  object Resolve extends PlanRule[LogicalPlan, LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan =
      plan.resolveOperatorsWithPruning(_.containsPattern(UNRESOLVED_HINT)) {
        case UnresolvedHint(name, Nil, child) if name.equalsIgnoreCase(Name) => MultiwayHint(child)
        case UnresolvedHint(name, parameters, _) if name.equalsIgnoreCase(Name) =>
          throw new IllegalArgumentException(
            s"[COLOCATE_INVALID_HINT] MULTIWAY has no arguments, but was given ${parameters.length}.")
      }
  }
}
