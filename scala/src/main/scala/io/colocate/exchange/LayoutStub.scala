package io.colocate.exchange

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{FilterExec, LeafExecNode, SortExec, SparkPlan}

/**
 * Stands in for a child of an operator while the search asks Spark how the operator lays out its
 * rows when the child's rows lie like this. Never part of a plan that runs.
 */
private[exchange] case class LayoutStub(
    output: Seq[Attribute],
    override val outputPartitioning: Partitioning)
    extends LeafExecNode {

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException("a layout stub holds no rows")
}

object LayoutStub {

  /**
   * The operator's layout, by Spark's own code, when its children are laid out like this. Unknown where
   * they have different numbers of partitions, as the sides of a storage-partitioned join may until
   * EnsureRequirements has aligned them: a join cannot say how it lies then.
   */
  def layoutOf(operator: SparkPlan, children: Seq[Partitioning]): Partitioning = operator match {
    case _: FilterExec => children.head
    case s: SortExec if !s.global => children.head
    case _ =>
      val stubs = operator.children.zip(children).map { case (child, layout) =>
        LayoutStub(child.output, layout)
      }
      try operator.withNewChildren(stubs).outputPartitioning
      catch {
        case _: IllegalArgumentException if children.map(_.numPartitions).distinct.length > 1 =>
          UnknownPartitioning(children.map(_.numPartitions).max)
      }
  }
}
