package io.colocate.report

import org.apache.spark.sql.catalyst.expressions.PlanExpression
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION

/**
 * A query as it was before the optimizer replaced some of its operators by Colocate's. It is kept to count
 * what Spark alone would shuffle.
 */
object BeforeRewrite {

  private val Tag = TreeNodeTag[LogicalPlan]("colocate.before")

  /** The whole query with its original operators; None if none were replaced. */
  def of(query: LogicalPlan): Option[LogicalPlan] =
    query.collectWithSubqueries { case p if before(p).isDefined => before(p).get }.headOption

  /**
   * The optimizer rewrites subqueries first, and may rewrite one again. Later rules merge some subqueries
   * and make joins of others, so only the whole query can be restored.
   *
   * @param ours true of an operator that replaced others
   */
  def note(
      query: LogicalPlan,
      unchanged: LogicalPlan)(ours: LogicalPlan => Boolean): LogicalPlan = {
    val found = query.collectWithSubqueries { case p if ours(p) => p }
    if (found.nonEmpty) {
      val whole = restored(unchanged)
      found.foreach(_.setTagValue(Tag, whole))
    }
    query
  }

  private def before(plan: LogicalPlan): Option[LogicalPlan] = plan.getTagValue(Tag)

  private def restored(query: LogicalPlan): LogicalPlan = query match {
    case Subquery(plan, _) => restored(plan)
    case _ =>
      val seen = query.collectFirst { case p if before(p).isDefined => before(p).get }
      seen.getOrElse(query.transformAllExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
        case e: PlanExpression[_] =>
          val subquery = e.asInstanceOf[PlanExpression[LogicalPlan]]
          val plan = restored(subquery.plan)
          if (plan eq subquery.plan) subquery else subquery.withNewPlan(plan)
      })
  }
}
