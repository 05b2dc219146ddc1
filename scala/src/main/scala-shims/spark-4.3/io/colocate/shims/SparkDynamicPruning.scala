package io.colocate.shims

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Spark's filter by the keys that a join broadcasts; its constructor grew in 4.3. */
object SparkDynamicPruning {

  /** @param index which of the keys is asked for */
  def apply(asking: Expression, other: LogicalPlan, keys: Seq[Expression], index: Int): Expression =
    DynamicPruningSubquery(asking, other, keys, Seq(index), onlyInBroadcast = true)()
}
