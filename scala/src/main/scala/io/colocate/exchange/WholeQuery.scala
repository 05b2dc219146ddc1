package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.cost.PlanCost

/**
 * A query with its subqueries, as Spark alone plans it and as Colocate does. Spark plans each subquery
 * apart and shares equal shuffles between all of them afterwards, so the choice for one part may end
 * what it shares with another.
 *
 * {{{
 *   WITH x AS (SELECT a, b, sum(c) s FROM t GROUP BY a, b)
 *   SELECT a, sum(s) FROM x GROUP BY a HAVING sum(s) > (SELECT max(s) FROM x)
 *
 *   on (a) in the query, on (a, b) in the subquery:    on (a, b) in both:
 *   two shuffles of t                                  one, and one on (a)
 * }}}
 *
 * Spark's plan is kept for all parts where ours would shuffle more often, or more bytes. Counter-example:
 * a subquery that shuffles no rows that another part shuffles ([[SharedInput]]) is not looked at.
 */
final case class WholeQuery(stock: Shuffles, ours: Shuffles) {

  def isWorse: Boolean =
    ours.count > stock.count || ours.bytes > stock.bytes * PlanCost.BytesSlack
}

object WholeQuery {

  private val Tag = TreeNodeTag[WholeQuery]("colocate.exchange.whole")

  /** What was found out of the query that this plan is a part of. */
  def of(plan: SparkPlan): Option[WholeQuery] =
    plan.collectFirst { case p if p.logicalLink.exists(known) => tag(p.logicalLink.get) }.flatten

  /** True of a query that was looked at, and of each of its subqueries. */
  def known(plan: LogicalPlan): Boolean = tag(plan).isDefined

  /**
   * Tells the query and its subqueries what they are as a whole.
   *
   * @param shuffles what the whole shuffles: with Colocate, or by Spark alone
   */
  def note(query: LogicalPlan)(shuffles: Boolean => Shuffles): Unit = {
    val subqueries = subqueriesOf(query)
    for (subquery <- subqueries) subquery.foreach(_.unsetTagValue(Tag))
    if (SharedInput.among(query +: subqueries)) {
      val Seq(stock, ours) = Seq(false, true).map(shuffles)
      for (part <- query +: subqueries)
        part.foreach(_.setTagValue(Tag, WholeQuery(stock, ours)))
    }
  }

  private def tag(plan: LogicalPlan): Option[WholeQuery] = plan.getTagValue(Tag)

  private def subqueriesOf(query: LogicalPlan): Seq[LogicalPlan] =
    if (!query.containsPattern(PLAN_EXPRESSION)) Nil
    else
      query.collect { case p => p.expressions }.flatten.flatMap(_.collect {
        case s: SubqueryExpression if !s.isInstanceOf[DynamicPruningSubquery] => s.plan
      }).flatMap(plan => plan +: subqueriesOf(plan))
}
