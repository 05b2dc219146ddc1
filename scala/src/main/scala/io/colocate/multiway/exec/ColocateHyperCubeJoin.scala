package io.colocate.multiway.exec

import org.apache.spark.{OneToOneDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.colocate.multiway.cells.{Cells, CubeCells, Role}
import io.colocate.multiway.model.{MostMemory, VariableCondition}
import io.colocate.multiway.rows.{JoinMetrics, MultiwayOperator}
import io.colocate.multiway.wcoj.{Comparison, Demand}

/**
 * Joins several inputs on all their common variables at once, if more than one of them is too large to
 * be broadcast. Each partition is a cell, which has all rows that join in it.
 *
 * {{{
 *   ColocateHyperCubeJoin [v0, v1], [v1, v2], [v0, v2], cells 4 x 4 x 4
 *   :- Exchange by cell                            src is v0, dst is v1
 *   :  +- ColocateCells 4 x 4 x 4
 *   :     +- FileScan edges
 *   :- ReusedExchange                              src is v1, dst is v2
 *   +- ReusedExchange                              src is v0, dst is v2
 * }}}
 *
 * Valid if a partition holds one cell: if it held two, rows that are in both would be joined twice. So
 * the exchanges are of the kind whose partitions adaptive execution never coalesces.
 *
 * @param sample a sample of the inputs' keys, see [[CubeCells]]
 */
final case class ColocateHyperCubeJoin(
    children: Seq[SparkPlan],
    keys: Seq[Seq[Attribute]],
    variables: Seq[Seq[Int]],
    demands: Seq[Demand],
    comparisons: Seq[Comparison],
    conditions: Seq[VariableCondition],
    output: Seq[Attribute],
    counted: Option[Attribute],
    cells: CubeCells,
    sample: Option[Expression])
    extends MultiwayOperator {

  override protected def moreMetrics: Map[String, SQLMetric] = Map(
    "cells" -> SQLMetrics.createMetric(sparkContext, "number of cells"),
    "heavy" -> SQLMetrics.createMetric(sparkContext, "number of values with cells of their own"),
    "parts" -> SQLMetrics.createMetric(sparkContext, "number of parts that cells are joined in"))

  override protected def cellsText: String = s", cells ${cells.planned.text}"

  /** A cell requests its memory row by row. */
  override def mostMemory: MostMemory = MostMemory.Unlimited

  private def roles: Seq[Role] = children.indices.map { i =>
    Role(keys(i).map(key => children(i).output.indexWhere(_.exprId == key.exprId)), variables(i))
  }

  override protected def doExecute(): RDD[InternalRow] = {
    val types = children.map(_.output.map(_.dataType))
    val settled = cells.settle(sample)
    tell(settled)
    val join = CellJoin(settled, roles.zip(types), layout.modes,
      layout.tables(children.tail.indices), layout.rows, JoinMetrics(this), longMetric("parts"))
    val inputs = children.map(_.execute())
    require(inputs.forall(_.getNumPartitions == cells.planned.count),
      s"${inputs.map(_.getNumPartitions).mkString(", ")} partitions for ${cells.planned.count} cells")
    new CellInputs(inputs, join)
  }

  private def tell(settled: Cells): Unit = {
    metrics("cells").set(settled.count)
    metrics("heavy").set(settled.heavy.count)
    SQLMetrics.postDriverMetricUpdates(sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      Seq(metrics("cells"), metrics("heavy")))
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): ColocateHyperCubeJoin = copy(children = newChildren)
}

/** The rows of each cell. Its inputs can be read several times, as they come from shuffles. */
final private class CellInputs(@transient private val all: Seq[RDD[InternalRow]], join: CellJoin)
    extends RDD[InternalRow](all.head.sparkContext, all.map(new OneToOneDependency(_))) {

  /** If values have cells of their own, there may be fewer cells than were planned. */
  override protected def getPartitions: Array[Partition] =
    Array.tabulate(join.cells.count)(i => CellPartition(i, all.map(_.partitions(i))))

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val cell = split.asInstanceOf[CellPartition]
    def input(i: Int): Iterator[InternalRow] =
      dependencies(i).rdd.asInstanceOf[RDD[InternalRow]].iterator(cell.inputs(i), context)
    join(cell.index, input, context)
  }
}

final private case class CellPartition(index: Int, inputs: Seq[Partition]) extends Partition
