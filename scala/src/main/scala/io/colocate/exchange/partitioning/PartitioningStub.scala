package io.colocate.exchange.partitioning

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{FilterExec, LeafExecNode, PartitioningPreservingUnaryExecNode, SortExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.execution.joins.ShuffledJoin

import io.colocate.rule.ColocateNode

/**
 * Stands in for a child of an operator while the search asks Spark for the operator's output partitioning,
 * given this partitioning of the child. Never part of a plan that runs.
 */
private[exchange] case class PartitioningStub(
    output: Seq[Attribute],
    override val outputPartitioning: Partitioning)
    extends LeafExecNode
    with ColocateNode {

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException("a partitioning stub holds no rows")
}

object PartitioningStub {

  /**
   * The partitioning of a plan that has not been given its shuffles yet, so that the inputs of a join may
   * be unaligned.
   */
  def partitioningOf(plan: SparkPlan): Partitioning = plan match {
    case exchange: Exchange => exchange.outputPartitioning
    case leaf if leaf.children.isEmpty => leaf.outputPartitioning
    case operator => partitioningOf(operator, operator.children.map(partitioningOf))
  }

  /**
   * The operator's output partitioning, by Spark's own code, given the partitionings of its children.
   *
   * An inner join has the partitionings of both its sides. While these have different numbers of
   * partitions, as in a storage-partitioned join until EnsureRequirements has aligned it, its partitioning
   * is unknown.
   */
  def partitioningOf(operator: SparkPlan, children: Seq[Partitioning]): Partitioning =
    operator match {
      case _: FilterExec => children.head
      case s: SortExec if !s.global => children.head
      case join: ShuffledJoin if join.joinType.isInstanceOf[InnerLike] && unaligned(children) =>
        UnknownPartitioning(children.map(_.numPartitions).max)
      // An unknown partitioning is no expression over columns and passes unchanged; asking Spark would take
      // time.
      case _: PartitioningPreservingUnaryExecNode
          if children.head.isInstanceOf[UnknownPartitioning] =>
        children.head
      case _ => over(operator, children).outputPartitioning
    }

  /** The operator on stubs of its children. */
  def over(operator: SparkPlan, children: Seq[Partitioning]): SparkPlan =
    operator.withNewChildren(operator.children.zip(children).map { case (child, partitioning) =>
      PartitioningStub(child.output, partitioning)
    })

  private def unaligned(children: Seq[Partitioning]): Boolean =
    children.map(_.numPartitions).distinct.length > 1
}
