package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}

/**
 * Rows that come and go: those of a plan, and how many more of each there are.
 *
 * @param plan the columns of the plan whose change it is, with the same ids, and then the diff
 */
final private[changes] case class Signed(plan: LogicalPlan) {

  def diff: Attribute = plan.output.last

  def columns: Seq[Attribute] = plan.output.init
}

private[changes] object Signed {

  /** @param columns as in [[Signed]] */
  def apply(columns: Seq[NamedExpression], diff: NamedExpression, plan: LogicalPlan): Signed =
    Signed(Project(columns :+ diff, plan))

  /**
   * All these changes together.
   *
   * @param columns the ids that the result has; the parts may share ids with it and with each other
   */
  def all(parts: Seq[Signed], columns: Seq[Attribute]): Option[Signed] = parts match {
    case Seq() => None
    case Seq(one) if one.columns.map(_.exprId) == columns.map(_.exprId) => Some(one)
    case Seq(one) => Some(named(Fresh(one.plan), columns))
    case several => Some(named(Union(several.map(part => Fresh(part.plan))), columns))
  }

  private def named(plan: LogicalPlan, columns: Seq[Attribute]): Signed =
    Signed(columns.zip(plan.output).map { case (to, from) => Alias(from, to.name)(to.exprId) },
      plan.output.last, plan)
}
