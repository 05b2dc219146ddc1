package io.colocate.multiway.exec

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, MemoryMode}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.types.DataType

import io.colocate.multiway.cells.{Cell, CellRouting, Cells, Role}
import io.colocate.multiway.model.{BuildMemory, EncodedRelation, RelationMode, TablesSpec}
import io.colocate.multiway.rows.{Cancelled, JoinMetrics, JoinTables, MultiwayRows, RowsSpec}
import io.colocate.shims.SparkMemory

/**
 * Joins the rows of a cell. Memory for the rows that it holds is requested from Spark. If there is not
 * enough, the cell is joined in halves, one after another; each reads the inputs again and skips the
 * rows of the other half. The shuffle's files replace what other joins would spill.
 */
final private[multiway] case class CellJoin(
    cells: Cells,
    roles: Seq[(Role, Seq[DataType])],
    modes: Seq[RelationMode],
    tables: TablesSpec,
    rows: RowsSpec,
    metrics: JoinMetrics,
    parts: SQLMetric) {

  def apply(
      cell: Int,
      input: Int => Iterator[InternalRow],
      task: TaskContext): Iterator[InternalRow] = {
    val memory = new TaskMemory(task)
    task.addTaskCompletionListener[Unit](_ => memory.release())
    val own = roles.map { case (role, types) =>
      new RoleRows(role, new CellRouting(role, types, cells.heavy))
    }
    new CellParts(this, cells.cell(cell), own, input, memory, task).rows
  }
}

/** Goes through the parts of a cell, of which there is one if its rows fit. */
final private class CellParts(
    join: CellJoin,
    whole: Cell,
    roles: Seq[RoleRows],
    input: Int => Iterator[InternalRow],
    memory: TaskMemory,
    task: TaskContext) {

  import CellParts._

  private case class Part(cell: Cell, halvings: Int)

  private var left = List(Part(whole, 0))

  val rows: Iterator[InternalRow] = new Iterator[InternalRow] {
    private var part: Iterator[InternalRow] = Iterator.empty

    override def hasNext: Boolean = {
      while (!part.hasNext && left.nonEmpty) {
        // The rows of the last part are released before more are held.
        part = Iterator.empty
        part = nextPart()
      }
      part.hasNext
    }

    override def next(): InternalRow = part.next()
  }

  private def nextPart(): Iterator[InternalRow] = {
    val part = left.head
    left = left.tail
    memory.release()
    held(part) match {
      case Some(relations) => joined(part, relations)
      case None =>
        // The variables take turns, as it is not known which of them has the value that is too frequent.
        val variable = part.halvings % part.cell.divisors.length
        left = part.cell.halves(variable).map(Part(_, part.halvings + 1)).toList ::: left
        Iterator.empty
    }
  }

  /** The rows of all inputs but the driver that belong to a part; None if there are too many. */
  private def held(part: Part): Option[Seq[EncodedRelation]] = {
    val last = part.halvings >= MostHalvings
    val read = join.modes.indices.iterator.map { i =>
      var fits = true
      val built = BuildMemory.perRow(join.modes(i))
      val rows = roles(i + 1).in(part.cell, input(i + 1)).takeWhile { row =>
        fits = last || memory.hold(row.asInstanceOf[UnsafeRow].getSizeInBytes + built)
        fits
      }
      val chunks = join.modes(i).transform(rows, None).asInstanceOf[Array[InternalRow]]
      Option.when(fits)(new EncodedRelation(chunks, join.modes(i)))
    }.takeWhile(_.nonEmpty).flatten.toSeq
    Option.when(read.length == join.modes.length)(read)
  }

  private def joined(part: Part, relations: Seq[EncodedRelation]): Iterator[InternalRow] = {
    join.parts += 1
    val tables = JoinTables.build(join.tables, relations)(() => Cancelled.check(task))
    join.metrics.built(tables)
    val driver = roles.head.in(part.cell, input(0))
    join.metrics.counted(new MultiwayRows(driver, tables, join.tables, join.rows, task))
  }
}

private object CellParts {

  /** A single value whose rows cannot be split further is held in memory regardless of the limit. */
  private val MostHalvings = 12
}

/** The rows of an input that are in a part of a cell in one of its roles. */
final private[multiway] class RoleRows(role: Role, keys: CellRouting) {

  private val variables = role.variables.toArray

  def in(cell: Cell, rows: Iterator[InternalRow]): Iterator[InternalRow] = rows.filter { row =>
    keys.read(row) && keys.mayBe(cell.kind) && {
      var i = 0
      while (i < variables.length && cell.has(variables(i), keys.values(i))) i += 1
      i == variables.length
    }
  }
}

/** The memory that a task has from Spark for the rows that it holds and the tries that it builds of them. */
final private class TaskMemory(task: TaskContext)
    extends MemoryConsumer(SparkMemory.of(task), MemoryMode.ON_HEAP) {

  private var granted = 0L
  private var needed = 0L

  /** Spills nothing, as the rows held here are being joined. */
  override def spill(size: Long, trigger: MemoryConsumer): Long = 0L

  /** @return false if there is no memory for one more row of so many bytes */
  def hold(bytes: Long): Boolean = {
    needed += bytes
    if (granted + TaskMemory.Free < needed) granted += acquireMemory(TaskMemory.Step + bytes)
    granted + TaskMemory.Free >= needed
  }

  def release(): Unit = {
    if (granted > 0) freeMemory(granted)
    granted = 0
    needed = 0
  }
}

private object TaskMemory {

  private val Step = 1L << 20

  /** Used without a request: if others have taken all memory, ever smaller parts would not help. */
  private val Free = 1L << 20
}
