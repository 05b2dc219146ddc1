package io.colocate.adaptive

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * Marks an operator inserted because a finished stage showed that a partitioning chosen by Colocate is
 * skewed. Adaptive execution adopts a plan with more of these marks even if it has more shuffles.
 */
object Withdrawn {
  private val Tag = TreeNodeTag[Unit]("colocate.withdrawn")

  def mark(operator: SparkPlan): Unit = operator.setTagValue(Tag, ())

  def count(plan: SparkPlan): Int =
    plan.collect { case marked if marked.getTagValue(Tag).isDefined => marked }.length
}
