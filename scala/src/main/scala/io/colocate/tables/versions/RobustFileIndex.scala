package io.colocate.tables.versions

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType

import io.colocate.facts.proved.{TableVersion, VersionedFiles}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.SchemaMismatch
import io.colocate.tables.scan.{PinnedFileIndex, PinTable}
import io.colocate.tables.snapshot.Snapshot

/**
 * A table in a query that is not optimised yet. [[PinTables]] replaces it with the files of one version,
 * which all scans of the query share. A session without the extension reads the version that was the
 * newest when the table was named.
 *
 * @param load   loads the version that a table named now has without the extension
 * @param misfit why the requested columns cannot be read
 */
final class RobustFileIndex(
    val log: TableLog,
    load: () => Snapshot,
    val misfit: Option[SchemaMismatch] = None)
    extends FileIndex
    with VersionedFiles {

  override def whole: PinnedFileIndex = named

  override def tableVersion: TableVersion = named.tableVersion

  val table: Path = log.path

  @volatile private var named = PinTable.whole(table, load())

  /** The version that gave the relation its columns. */
  def snapshot: Snapshot = named.snapshot

  override def rootPaths: Seq[Path] = Seq(table)

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] = {
    misfit.foreach(throw _)
    named.listFiles(partitionFilters, dataFilters)
  }

  /** The same table, for requested columns that it does not have. */
  def refusing(misfit: SchemaMismatch): RobustFileIndex =
    new RobustFileIndex(log, load, Some(misfit))

  override def inputFiles: Array[String] = named.inputFiles

  override def refresh(): Unit = named = PinTable.whole(table, load())

  override def sizeInBytes: Long = named.sizeInBytes

  override def partitionSchema: StructType = new StructType()

  /** Spark finds the cached data of a table by this. */
  override def equals(other: Any): Boolean = other match {
    case that: RobustFileIndex => table == that.table
    case _ => false
  }

  override def hashCode: Int = table.hashCode

  override def toString: String = s"Colocate[$table]"
}
