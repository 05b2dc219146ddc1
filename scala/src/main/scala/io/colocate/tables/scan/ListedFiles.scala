package io.colocate.tables.scan

import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType

import io.colocate.tables.format.FileAdded

/** Known files of a table, listed for Spark's scan without access to the file system. */
class ListedFiles(val table: Path, files: => Seq[FileStatus]) extends FileIndex {

  protected lazy val listed = files.toArray

  override def rootPaths: Seq[Path] = Seq(table)

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] =
    Seq(PartitionDirectory(InternalRow.empty, listed))

  override def inputFiles: Array[String] = listed.map(_.getPath.toUri.toString)

  override def refresh(): Unit = ()

  override def sizeInBytes: Long = listed.iterator.map(_.getLen).sum

  override def partitionSchema: StructType = new StructType()
}

object ListedFiles {

  /** Files that were written, but that no version may name yet. */
  def written(table: Path, files: Seq[FileAdded]): ListedFiles =
    new ListedFiles(table, files.map(f => status(table, f.path, f.bytes, f.modified)))

  private[tables] def status(table: Path, path: String, bytes: Long, modified: Long): FileStatus =
    new FileStatus(bytes, false, 1, BlockSize, modified, new Path(table, path))

  private val BlockSize = 128L << 20
}
