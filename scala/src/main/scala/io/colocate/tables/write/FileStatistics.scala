package io.colocate.tables.write

import scala.collection.mutable

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{WriteJobStatsTracker, WriteTaskStats, WriteTaskStatsTracker}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

import io.colocate.tables.format.{ColumnStats, DataFileName}

/**
 * A written file and its statistics.
 *
 * @param leaf     position of the leaf that its rows belong to, from the left
 * @param modified in milliseconds
 */
final case class WrittenFile(
    path: String,
    leaf: Int,
    rows: Long,
    bytes: Long,
    modified: Long,
    stats: Map[String, ColumnStats])

/**
 * Collects the statistics of each file while Spark writes it. Spark calls it on executors, and takes the
 * results of the successful attempt of each task. A file is known by its path alone, as Spark may have
 * many files open, and begins new ones in between.
 */
final class FileStatistics(schema: StructType, conf: SerializableConfiguration)
    extends WriteJobStatsTracker {

  @volatile private var collected: Seq[WrittenFile] = Nil

  /** The files of the job, once it is done. */
  def files: Seq[WrittenFile] = collected

  override def newTaskInstance(): WriteTaskStatsTracker = new TaskStatistics(schema, conf)

  override def processStats(stats: Seq[WriteTaskStats], jobCommitTime: Long): Unit =
    collected = stats.collect { case TaskFiles(files) => files }.flatten
}

final private case class TaskFiles(files: Seq[WrittenFile]) extends WriteTaskStats

final private class TaskStatistics(schema: StructType, conf: SerializableConfiguration)
    extends WriteTaskStatsTracker {

  private val written = mutable.ArrayBuffer.empty[WrittenFile]
  private val open = mutable.HashMap.empty[String, OpenFile]
  // Rows come file by file, so the next row is nearly always for the last file.
  private var lastPath: String = _
  private var last: OpenFile = _

  override def newPartition(partitionValues: InternalRow): Unit = ()

  override def newFile(filePath: String): Unit = open.put(filePath, new OpenFile(schema))

  override def newRow(filePath: String, row: InternalRow): Unit = {
    if (filePath ne lastPath) {
      last = open(filePath)
      lastPath = filePath
    }
    last.add(row)
  }

  /** Spark has closed the writer by now, so the file has its final size. */
  override def closeFile(filePath: String): Unit = open.remove(filePath).foreach { file =>
    val path = new Path(filePath)
    val status = path.getFileSystem(conf.value).getFileStatus(path)
    val leaf = DataFileName.leaf(path.getName).getOrElse(
      throw new IllegalStateException(s"$path is not a name of a table's file"))
    written += WrittenFile(filePath, leaf, file.rows, status.getLen, status.getModificationTime,
      file.stats)
  }

  override def getFinalStats(taskCommitTime: Long): WriteTaskStats = TaskFiles(written.toSeq)
}

final private class OpenFile(schema: StructType) {

  private val columns = schema.fields.zipWithIndex.map { case (field, i) =>
    ColumnBounds.of(field.dataType, i)
  }
  var rows = 0L

  def add(row: InternalRow): Unit = {
    rows += 1
    var i = 0
    while (i < columns.length) {
      columns(i).update(row)
      i += 1
    }
  }

  def stats: Map[String, ColumnStats] = schema.fieldNames.zip(columns.map(_.result)).toMap
}
