package io.colocate.multiway.cells

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.{DataType, IntegerType}

import io.colocate.rule.ColocateNode

/**
 * Appends to each row the number of the cell in which it is joined, and repeats it for each of its cells.
 *
 * {{{
 *   ColocateCells 2 x 2 x 2      (src, dst)  =>  (src, dst, 1), (src, dst, 5)
 *   +- FileScan edges
 * }}}
 *
 * A relation that is joined several times is shuffled once: a row goes to the cells of all its roles,
 * and each role skips the rows that were sent for another one.
 *
 * @param columns the columns that the roles' numbers refer to; the child may have them in another order
 * @param cell    the added column
 * @param sample  a sample of the inputs' keys, see [[CubeCells]]
 */
final case class ColocateCells(
    cells: CubeCells,
    roles: Seq[Role],
    columns: Seq[Attribute],
    cell: Attribute,
    sample: Option[Expression],
    child: SparkPlan)
    extends UnaryExecNode
    with ColocateNode {

  override def output: Seq[Attribute] = child.output :+ cell

  override def producedAttributes: AttributeSet = AttributeSet(cell)

  override def outputPartitioning: Partitioning =
    UnknownPartitioning(child.outputPartitioning.numPartitions)

  override lazy val metrics: Map[String, SQLMetric] =
    Map("numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"))

  override protected def doExecute(): RDD[InternalRow] = {
    val (cells, types) = (this.cells.settle(sample), child.output.map(_.dataType))
    val places = columns.map(column => child.output.indexWhere(_.exprId == column.exprId))
    val here = roles.map(role => role.copy(columns = role.columns.map(places)))
    val numOutputRows = longMetric("numOutputRows")
    child.execute().mapPartitions { rows =>
      val senders = here.map(role => new CellsOf(cells, role, types)).toArray
      new RepeatedRows(rows, senders, cells.count, types, numOutputRows)
    }
  }

  override def simpleString(maxFields: Int): String = {
    val joined =
      roles.map(_.variables.map("v" + _).mkString("[", ", ", "]")).distinct.mkString(", ")
    s"$nodeName ${cells.planned.text} for $joined"
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ColocateCells =
    copy(child = newChild)
}

/** The cells to which the rows of a relation go in one of its roles. */
final private class CellsOf(cells: Cells, role: Role, types: Seq[DataType]) {

  private val keys = new CellRouting(role, types, cells.heavy)
  private val variables = role.variables.toArray
  private val boxes = cells.boxes.toArray
  private val offsets = boxes.map(_.offsets(role.variables))
  private val firsts = cells.firsts.toArray

  def foreach(row: InternalRow)(visit: Int => Unit): Unit = if (keys.read(row)) {
    var kind = 0
    while (kind < boxes.length) {
      if (keys.mayBe(kind)) {
        val first = firsts(kind) + place(boxes(kind))
        offsets(kind).foreach(offset => visit(first + offset))
      }
      kind += 1
    }
  }

  private def place(box: Box): Int = {
    var sum = 0
    var i = 0
    while (i < variables.length) {
      sum += box.place(variables(i), keys.values(i))
      i += 1
    }
    sum
  }
}

/** Repeats each row for each of its cells, each cell once. */
final private class RepeatedRows(
    rows: Iterator[InternalRow],
    senders: Array[CellsOf],
    count: Int,
    columns: Seq[DataType],
    numOutputRows: SQLMetric)
    extends Iterator[InternalRow] {

  private val cell = new SpecificInternalRow(Seq(IntegerType))
  private val joined = new JoinedRow(InternalRow.empty, cell)
  private val project = UnsafeProjection.create((columns :+ IntegerType).toArray)

  /** For each cell, the number of the last row that was sent there. */
  private val sent = new Array[Long](count)
  private val pending = new Array[Int](count)
  private var left = 0
  private var row = 0L

  override def hasNext: Boolean = {
    while (left == 0 && rows.hasNext) read(rows.next())
    left > 0
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException
    left -= 1
    cell.setInt(0, pending(left))
    numOutputRows += 1
    project(joined)
  }

  private def read(next: InternalRow): Unit = {
    row += 1
    joined.withLeft(next)
    senders.foreach(_.foreach(next) { to =>
      if (sent(to) != row) {
        sent(to) = row
        pending(left) = to
        left += 1
      }
    })
  }
}
