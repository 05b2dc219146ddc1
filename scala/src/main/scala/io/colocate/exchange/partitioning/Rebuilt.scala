package io.colocate.exchange.partitioning

import org.apache.spark.sql.execution.SparkPlan

/**
 * An operator over other children, and itself where each is the very one that it had.
 *
 * `withNewChildren` asks whether they are equal. A plan that a rule made may equal the one before it and
 * yet be another, with its own tags and its own place in the query.
 */
private[exchange] object Rebuilt {

  def apply(operator: SparkPlan, children: Seq[SparkPlan]): SparkPlan = {
    val same = children.zip(operator.children).forall { case (a, b) => a eq b }
    if (same) operator else operator.withNewChildren(children)
  }
}
