package io.colocate.functions.call

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.{LeafNode, LogicalPlan, Statistics}
import org.apache.spark.sql.execution.{LeafExecNode, SparkPlan}

import io.colocate.rule.{ColocateNode, PlanRule}

/**
 * The rows of a table function that runs jobs. They are made when the query runs, as a query may be
 * analysed more than once, or only for EXPLAIN.
 *
 * @param rows called for each run
 */
final private[functions] case class RowsLater(output: Seq[Attribute], rows: () => Seq[InternalRow])
    extends LeafNode
    with MultiInstanceRelation {

  override def newInstance(): LogicalPlan = copy(output = output.map(_.newInstance()))

  override def computeStats(): Statistics = Statistics(sizeInBytes = conf.defaultSizeInBytes)
}

object RowsLater {

  /** Planning: the rows are in one task. */
  object Plan extends PlanRule[LogicalPlan, Seq[SparkPlan]] {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case RowsLater(output, rows) => Seq(ColocateRows(output, rows))
      case _ => Nil
    }
  }
}

/** Makes the rows of a table function on the driver. */
final private[functions] case class ColocateRows(
    output: Seq[Attribute],
    @transient rows: () => Seq[InternalRow])
    extends LeafExecNode
    with ColocateNode {

  override protected def doExecute(): RDD[InternalRow] = {
    val unsafe = UnsafeProjection.create(schema)
    val made = rows().map[InternalRow](unsafe(_).copy())
    sparkContext.parallelize(made, 1)
  }
}
