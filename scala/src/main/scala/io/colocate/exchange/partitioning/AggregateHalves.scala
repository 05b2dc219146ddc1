package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.aggregate.{Final, Partial}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec

/**
 * Two aggregates, one right above the other, of which the upper finishes exactly what the lower begins: the
 * same functions, by the same keys.
 *
 * Counter-example: the aggregates of `sum(x), count(DISTINCT y)`, of which the inner ones merge rows by y
 * too; or two aggregates of the query, one above the other.
 */
private[exchange] object AggregateHalves {

  def apply(upper: BaseAggregateExec, lower: BaseAggregateExec): Boolean =
    upper.getClass == lower.getClass && !upper.isStreaming &&
      upper.requiredChildDistributionExpressions.isDefined &&
      lower.requiredChildDistributionExpressions.isEmpty &&
      upper.aggregateExpressions.forall(_.mode == Final) &&
      lower.aggregateExpressions.forall(_.mode == Partial) &&
      upper.aggregateExpressions.map(_.resultId) == lower.aggregateExpressions.map(_.resultId) &&
      upper.groupingExpressions == lower.groupingExpressions
}
