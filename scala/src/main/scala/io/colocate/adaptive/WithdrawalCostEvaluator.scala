package io.colocate.adaptive

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{Cost, CostEvaluator}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.{ColocateConf, SessionSetting}
import io.colocate.shims.SparkCost

/**
 * Lets adaptive execution adopt a plan with one shuffle more if a skewed partitioning was withdrawn.
 * Spark's own cost counts shuffles and would refuse that plan. All other plans cost what Spark says.
 */
final class WithdrawalCostEvaluator extends CostEvaluator {
  override def evaluateCost(plan: SparkPlan): Cost =
    WithdrawalCost(Withdrawn.count(plan), SparkCost.evaluator(SQLConf.get).evaluateCost(plan))
}

/** Orders by the number of withdrawn partitionings, more of them first, then by Spark's cost. */
final case class WithdrawalCost(withdrawn: Int, spark: Cost) extends Cost {
  override def compare(that: Cost): Int = that match {
    case WithdrawalCost(w, s) if w == withdrawn => spark.compare(s)
    case WithdrawalCost(w, _) => w.compare(withdrawn)
    case other => spark.compare(other)
  }
}

object WithdrawalCostEvaluator {

  /** If the user has set another evaluator, it stays. */
  val Setting: SessionSetting =
    SessionSetting(SQLConf.ADAPTIVE_CUSTOM_COST_EVALUATOR_CLASS.key,
      classOf[WithdrawalCostEvaluator].getName, ColocateConf.Enabled(_), listed = false)
}
