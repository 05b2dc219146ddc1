package io.colocate.multiway.rows

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, JoinedRow, SpecificInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, LongType}

import io.colocate.multiway.model.TablesSpec
import io.colocate.multiway.wcoj.{GenericJoin, Weight}

/**
 * How the rows of a join are assembled: from the driver's row, values of variables, and carried columns,
 * in this order.
 *
 * @param driverKeys for each of the driver's variables, in order, the number of its column
 * @param listed     how many variables get values
 * @param values     variables whose values are needed, and which the driver does not have
 * @param output     expressions over the columns of the driver, these values, the carried columns of
 *                   each listed relation, and the weight if rows are counted
 * @param counted    true if a row stands for as many rows as its weight, instead of being repeated
 * @param sum        true if only the sum of all weights is needed: one row for each task, and the output
 *                   is over this number alone
 */
final private[multiway] case class RowsSpec(
    driverKeys: Array[Int],
    listed: Int,
    values: Array[Int],
    valueTypes: Array[DataType],
    output: Seq[Expression],
    counted: Boolean,
    sum: Boolean)

/** The rows that a task makes, one at a time: a caller that stops early saves the remaining work. */
final private[multiway] class MultiwayRows(
    driver: Iterator[InternalRow],
    tables: JoinTables,
    tablesSpec: TablesSpec,
    spec: RowsSpec,
    task: TaskContext)
    extends Iterator[InternalRow] {

  private val driven = new DrivenJoin(tables, tablesSpec, spec, task)
  private val join = driven.join

  private val values = new SpecificInternalRow(spec.valueTypes.toIndexedSeq)
  private val weight = new SpecificInternalRow(Seq(LongType))
  private val carried = new CarriedRows(join, tables)
  private val project = UnsafeProjection.create(spec.output)

  /** Its left side is the driver's row. */
  private val first = new JoinedRow(InternalRow.empty, values)
  private val input =
    (carried.rows ++ Option.when(spec.counted)(weight)).foldLeft(first)(new JoinedRow(_, _))

  private var active = false
  private var copies = 0L
  private var result: InternalRow = _
  private var ready = false

  /** Values looked at so far. */
  def proposals: Long = join.proposals

  override def hasNext: Boolean = ready || {
    Cancelled.check(task)
    ready = if (spec.sum) total() else advance()
    ready
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException
    ready = false
    result
  }

  private def advance(): Boolean = {
    if (copies > 0) {
      copies -= 1
      true
    } else if (carried.next()) emit()
    else if (nextBinding()) {
      fillValues()
      carried.start()
      advance()
    } else false
  }

  private def emit(): Boolean = {
    if (spec.counted) weight.setLong(0, Weight.exact(join.weight)) else copies = join.weight - 1
    result = project(input)
    true
  }

  private def nextBinding(): Boolean = {
    while (true) {
      Cancelled.check(task)
      if (active && join.next()) return true
      active = driver.hasNext && take(driver.next())
      if (!active && !driver.hasNext) return false
    }
    false
  }

  private def take(row: InternalRow): Boolean = {
    first.withLeft(row)
    driven.start(row)
  }

  private def fillValues(): Unit = {
    var i = 0
    while (i < spec.values.length) {
      tables.domains(spec.values(i)).set(values, i, join.bound(spec.values(i)))
      i += 1
    }
  }

  private var summed = false

  private def total(): Boolean = !summed && {
    summed = true
    var sum = 0L
    while (nextBinding()) sum = Weight.plus(sum, join.weight)
    weight.setLong(0, Weight.exact(sum))
    result = project(weight)
    true
  }
}

/** Iterates over all combinations of the listed relations' rows that a result stands for. */
final private class CarriedRows(join: GenericJoin, tables: JoinTables) {

  private val relations = tables.relations.indices.filter(tables.payloads(_) != null).toArray
  private val payloads = relations.map(tables.payloads)
  private val tries = relations.map(tables.relations(_).trie)
  private val from = new Array[Int](relations.length)
  private val until = new Array[Int](relations.length)
  private val at = new Array[Int](relations.length)
  private var begun = false
  private var left = false

  val rows: Array[UnsafeRow] = payloads.map(_.newRow)

  /** Starts with the result that has just been bound. */
  def start(): Unit = {
    var i = 0
    while (i < relations.length) {
      val leaf = join.leaf(relations(i))
      from(i) = tries(i).firstRow(leaf)
      until(i) = from(i) + tries(i).multiplicity(leaf)
      move(i, from(i))
      i += 1
    }
    begun = false
    left = true
  }

  /** The next combination; without listed relations there is one. */
  def next(): Boolean =
    if (!left) false
    else if (!begun) {
      begun = true
      true
    } else {
      var i = relations.length - 1
      while (i >= 0 && at(i) + 1 == until(i)) {
        move(i, from(i))
        i -= 1
      }
      if (i >= 0) move(i, at(i) + 1) else left = false
      left
    }

  private def move(i: Int, position: Int): Unit = {
    at(i) = position
    payloads(i).point(rows(i), tries(i).rows(position))
  }
}
