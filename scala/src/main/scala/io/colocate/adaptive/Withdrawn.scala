package io.colocate.adaptive

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * Marks an operator that stands where a finished stage showed a choice of ours to be skewed. Adaptive
 * execution adopts a plan with more such marks, be it that it has more shuffles.
 */
object Withdrawn {
  private val Tag = TreeNodeTag[Unit]("colocate.withdrawn")

  def mark(operator: SparkPlan): Unit = operator.setTagValue(Tag, ())

  def count(plan: SparkPlan): Int =
    plan.collect { case marked if marked.getTagValue(Tag).isDefined => marked }.length
}
