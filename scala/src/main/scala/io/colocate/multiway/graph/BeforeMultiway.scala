package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions.PlanExpression
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION

/** A query as it was before multiway joins took the place of its joins. Kept to count what they save. */
object BeforeMultiway {

  private val Tag = TreeNodeTag[LogicalPlan]("colocate.multiway.before")

  /** The whole query with the joins that it had; none where no joins were replaced. */
  def of(query: LogicalPlan): Option[LogicalPlan] =
    joins(query).flatMap(_.getTagValue(Tag)).headOption

  /**
   * The optimizer looks at subqueries first, and may look at one again. Later rules merge some and make
   * joins of others, so only the whole query can be put back.
   */
  private[multiway] def note(query: LogicalPlan, before: LogicalPlan): LogicalPlan = {
    val found = joins(query)
    if (found.nonEmpty) {
      val whole = restored(before)
      found.foreach(_.setTagValue(Tag, whole))
    }
    query
  }

  private def joins(query: LogicalPlan): Seq[MultiwayJoin] =
    query.collectWithSubqueries { case join: MultiwayJoin => join }

  private def restored(query: LogicalPlan): LogicalPlan = query match {
    case Subquery(plan, _) => restored(plan)
    case _ =>
      val seen = query.collectFirst { case join: MultiwayJoin => join.getTagValue(Tag) }.flatten
      seen.getOrElse(query.transformAllExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
        case e: PlanExpression[_] =>
          val subquery = e.asInstanceOf[PlanExpression[LogicalPlan]]
          val plan = restored(subquery.plan)
          if (plan eq subquery.plan) subquery else subquery.withNewPlan(plan)
      })
  }
}
