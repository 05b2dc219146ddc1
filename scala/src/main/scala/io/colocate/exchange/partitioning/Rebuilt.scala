package io.colocate.exchange.partitioning

import org.apache.spark.sql.execution.SparkPlan

/**
 * An operator with new children, or the operator itself if each child is the same instance as before.
 *
 * `withNewChildren` compares by equality. But a plan made by a rule may equal the one before it and still
 * be another instance, with its own tags and its own place in the query.
 */
private[exchange] object Rebuilt {

  def apply(operator: SparkPlan, children: Seq[SparkPlan]): SparkPlan = {
    val same = children.zip(operator.children).forall { case (a, b) => a eq b }
    if (same) operator else operator.withNewChildren(children)
  }
}
