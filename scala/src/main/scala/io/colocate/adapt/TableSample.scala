package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.ReadTime
import io.colocate.adapt.window.RowShare
import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.{Transaction, WriteStep}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{CutColumn, Sample}
import io.colocate.tables.write.{DrawSample, TaskTime}

/**
 * A sample of a table's rows.
 *
 * @param time what reading them took; None if it is not known
 */
final private case class TableSample(rows: Sample, time: Option[ReadTime])

private object TableSample {

  private val Rows = 20000

  /**
   * @param files   numbers of the files of a version
   * @param columns the columns to sample, if they can be cut
   */
  def apply(
      session: SparkSession,
      log: TableLog,
      base: Snapshot,
      files: IndexedSeq[Int],
      columns: Set[String],
      seed: Long): TableSample = WriteStep(session, log.path, "drawing a sample of") {
    val transaction = new Transaction(session, log)
    val wanted = CutColumn.among(base.schema.filter(field => columns(field.name)))
    val (drawn, millis) = TaskTime(session.sparkContext) {
      DrawSample(transaction.rows(transaction.read(base, files)), wanted, Rows, seed)
    }
    val share = RowShare(base.schema, wanted.map(_.name).toSet)
    TableSample(drawn.sample,
      millis.map(ReadTime(_, (share * files.iterator.map(base.files.rows).sum).toLong)))
  }
}
