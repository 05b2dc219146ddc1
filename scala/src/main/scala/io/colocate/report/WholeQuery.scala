package io.colocate.report

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * The shuffles of a query with all its subqueries, if its parts share shuffles. Attached to each part.
 *
 * @param stock   as planned by Spark alone
 * @param ours    as planned by Colocate, each part by itself
 * @param isWorse true if all parts keep Spark's plan because Colocate's would shuffle more
 */
final case class WholeQuery(stock: Shuffles, ours: Shuffles, isWorse: Boolean) {

  /** The shuffles of the plans now in use. */
  def planned: Shuffles = if (isWorse) stock else ours
}

object WholeQuery {

  private val Tag = TreeNodeTag[WholeQuery]("colocate.whole")

  /** The comparison of the query that this plan is a part of. */
  def of(plan: SparkPlan): Option[WholeQuery] =
    plan.collectFirst { case p if p.logicalLink.exists(known) => of(p.logicalLink.get) }.flatten

  def of(plan: LogicalPlan): Option[WholeQuery] = plan.getTagValue(Tag)

  /** True of a query that was compared as a whole, and of each of its subqueries. */
  def known(plan: LogicalPlan): Boolean = of(plan).isDefined

  def put(part: LogicalPlan, whole: WholeQuery): Unit = part.foreach(_.setTagValue(Tag, whole))

  def forget(part: LogicalPlan): Unit = part.foreach(_.unsetTagValue(Tag))
}
