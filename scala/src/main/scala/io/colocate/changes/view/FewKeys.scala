package io.colocate.changes.view

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LocalRelation, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession

/**
 * Computes which keys a change concerns before the rest is planned, so that Spark knows how few they are:
 * it broadcasts them, and files without any of them are not read.
 *
 * {{{
 *   Aggregate [city]              =>   LocalRelation [Rome, Oslo]
 *   +- changes of orders
 * }}}
 *
 * Counter-example: more keys than the driver should hold. They stay a part of the plan.
 */
private[view] object FewKeys {

  private val Most = 100000

  def apply(session: SparkSession)(keys: LogicalPlan): LogicalPlan = {
    val some = session.sessionState.executePlan(Limit(Literal(Most + 1), keys)).executedPlan
    val rows = some.executeCollect()
    if (rows.length > Most) keys else LocalRelation(keys.output, rows.toSeq.map(_.copy()))
  }
}
