package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.plans.logical.{Expand, Filter, Generate, LogicalPlan, Project}

/**
 * An operator that makes rows of each row by itself: the change of its output is the operator over the
 * change of its input.
 *
 * {{{
 *   Filter (price > 10)         Filter (price > 10)
 *   +- orders              =>   +- changes of orders, with their diff
 * }}}
 *
 * Counter-example: a function that gives another value for a row when asked again; it is refused before.
 */
private[differentiate] object Linear {

  def unapply(plan: LogicalPlan): Option[LogicalPlan] = plan match {
    case Project(_, child) => Some(child)
    case Filter(_, child) => Some(child)
    case generate: Generate => Some(generate.child)
    case expand: Expand => Some(expand.child)
    case _ => None
  }

  def change(plan: LogicalPlan, child: Signed): Signed = plan match {
    case Project(columns, _) => Signed(columns, child.diff, child.plan)
    case Filter(condition, _) => Signed(Filter(condition, child.plan))
    case generate: Generate =>
      Signed(generate.output, child.diff, generate.copy(child = child.plan))
    case expand: Expand =>
      val diff = child.diff.newInstance()
      Signed(Expand(expand.projections.map(_ :+ child.diff), expand.output :+ diff, child.plan))
  }
}
