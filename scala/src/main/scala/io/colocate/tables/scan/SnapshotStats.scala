package io.colocate.tables.scan

import org.apache.spark.sql.types.StructType

import io.colocate.tables.pruning.FileStats
import io.colocate.tables.snapshot.{LiveFiles, Snapshot, StatsColumn}

/**
 * The files of a version with their statistics, as pruning reads them.
 *
 * If a file has no statistics for a column, the column may have been added later, or the log could not
 * store its values: the bounds are unknown then.
 *
 * @param numbers the numbers of the files in the version
 */
final class SnapshotStats(snapshot: Snapshot, numbers: Array[Int]) extends FileStats {

  private val files: LiveFiles = snapshot.files
  private val columns: Array[Option[StatsColumn]] = schema.fields.map { field =>
    files.stats(field.name).filter(_.dataType == field.dataType)
  }

  override def schema: StructType = snapshot.schema
  override def length: Int = numbers.length
  override def path(file: Int): String = files.path(numbers(file))
  override def tree(file: Int): Int = files.tree(numbers(file))
  override def leaf(file: Int): Int = files.leaf(numbers(file)).getOrElse(-1)
  override def rows(file: Int): Long = files.rows(numbers(file))

  override def holds(column: Int, file: Int): Boolean = true
  override def nulls(column: Int, file: Int): Long = of(column, file).fold(-1L)(_.nulls(at(file)))
  override def nans(column: Int, file: Int): Long = of(column, file).fold(-1L)(_.nans(at(file)))
  override def min(column: Int, file: Int): Any = of(column, file).map(_.min(at(file))).orNull
  override def max(column: Int, file: Int): Any = of(column, file).map(_.max(at(file))).orNull

  private def at(file: Int): Int = numbers(file)

  private def of(column: Int, file: Int): Option[StatsColumn] =
    columns(column).filter(_.has(numbers(file)))
}
