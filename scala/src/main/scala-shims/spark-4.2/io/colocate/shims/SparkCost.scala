package io.colocate.shims

import org.apache.spark.sql.execution.adaptive.{CostEvaluator, SimpleCostEvaluator}
import org.apache.spark.sql.internal.SQLConf

/** Spark's own cost of an adaptive plan; its constructor grew in 4.3. */
object SparkCost {
  def evaluator(conf: SQLConf): CostEvaluator =
    SimpleCostEvaluator(conf.getConf(SQLConf.ADAPTIVE_FORCE_OPTIMIZE_SKEWED_JOIN))
}
