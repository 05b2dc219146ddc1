package io.colocate.multiway.rows

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow

import io.colocate.multiway.model.{ConditionOnRanks, TablesSpec}
import io.colocate.multiway.wcoj.{GenericJoin, JoinPlan}

/** A join that starts from rows of its driver. It ends when its task is cancelled. */
final private[multiway] class DrivenJoin(
    tables: JoinTables,
    tablesSpec: TablesSpec,
    spec: RowsSpec,
    task: TaskContext) {

  val join = new GenericJoin(JoinPlan(tables.domains.map(_.size), spec.driverKeys.length,
    spec.listed, tables.relations, tablesSpec.comparisons, tables.negated,
    tablesSpec.conditions.map(new ConditionOnRanks(_, tablesSpec.types, tables.domains))),
    alive = () => Cancelled.check(task))

  /** Binds the keys of a row; false if a relation does not have them. */
  def start(row: InternalRow): Boolean = {
    var v = 0
    while (v < spec.driverKeys.length) {
      val rank = tables.domains(v).rank(row, spec.driverKeys(v))
      if (rank < 0) return false
      join.bound(v) = rank
      v += 1
    }
    join.start()
  }

  /** Estimates the work for rows of the driver from some of them, by the values looked at first for each. */
  def work(rows: Iterator[InternalRow]): Long =
    rows.zipWithIndex.collect {
      case (row, i) if i % DrivenJoin.Weighed == 0 => 1 + (if (start(row)) join.ahead else 0)
    }.sum
}

private[multiway] object DrivenJoin {

  /** One of so many rows is measured. */
  private val Weighed = 16
}
