package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION

import io.colocate.exchange.cost.PlanCost
import io.colocate.report.{Shuffles, WholeQuery}

/**
 * Compares two plans of a query with all its subqueries: Spark's alone and Colocate's. Spark plans each
 * subquery separately and shares equal shuffles between all of them afterwards, so the choice for one part
 * may end the sharing with another.
 *
 * {{{
 *   WITH x AS (SELECT a, b, sum(c) s FROM t GROUP BY a, b)
 *   SELECT a, sum(s) FROM x GROUP BY a HAVING sum(s) > (SELECT max(s) FROM x)
 *
 *   on (a) in the query, on (a, b) in the subquery:    on (a, b) in both:
 *   two shuffles of t                                  one, and one on (a)
 * }}}
 *
 * Spark's plan is kept for all parts if Colocate's would shuffle more often, or more bytes.
 * Counter-example: a subquery that shuffles no rows that another part shuffles ([[SharedInput]]) is not
 * compared.
 */
object SharedShuffles {

  /**
   * Records on the query and its subqueries what they shuffle as a whole.
   *
   * @param shuffles the shuffles of the whole query: with Colocate if true, by Spark alone if false
   */
  def note(query: LogicalPlan)(shuffles: Boolean => Shuffles): Unit = {
    val subqueries = subqueriesOf(query)
    subqueries.foreach(WholeQuery.forget)
    if (SharedInput.among(query +: subqueries)) {
      val Seq(stock, ours) = Seq(false, true).map(shuffles)
      val whole = WholeQuery(stock, ours, isWorse(ours, stock))
      (query +: subqueries).foreach(WholeQuery.put(_, whole))
    }
  }

  private def isWorse(ours: Shuffles, stock: Shuffles): Boolean =
    ours.count > stock.count || ours.bytes > stock.bytes * PlanCost.BytesSlack

  private def subqueriesOf(query: LogicalPlan): Seq[LogicalPlan] =
    if (!query.containsPattern(PLAN_EXPRESSION)) Nil
    else
      query.collect { case p => p.expressions }.flatten.flatMap(_.collect {
        case s: SubqueryExpression if !s.isInstanceOf[DynamicPruningSubquery] => s.plan
      }).flatMap(plan => plan +: subqueriesOf(plan))
}
