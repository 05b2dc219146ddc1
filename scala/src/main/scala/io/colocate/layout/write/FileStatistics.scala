package io.colocate.layout.write

import scala.collection.mutable

import org.apache.hadoop.fs.Path

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{WriteJobStatsTracker, WriteTaskStats, WriteTaskStatsTracker}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

import io.colocate.layout.log.ColumnStats

/**
 * What was written into one file.
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
 * Collects the statistics of each file while Spark writes it; Spark calls it on executors, and takes
 * the results of the one attempt of each task that counts.
 *
 * The leaf of a file is the value of the partition column where there is one, and the number of the
 * task's partition otherwise.
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
  private var leaf = TaskContext.getPartitionId()
  // Rows come file by file, so the last one is nearly always the one that is asked for.
  private var lastPath: String = _
  private var last: OpenFile = _

  override def newPartition(partitionValues: InternalRow): Unit = leaf = partitionValues.getInt(0)

  override def newFile(filePath: String): Unit = open.put(filePath, new OpenFile(schema, leaf))

  override def newRow(filePath: String, row: InternalRow): Unit = {
    if (filePath ne lastPath) {
      last = open(filePath)
      lastPath = filePath
    }
    last.add(row)
  }

  /** Spark has closed the writer by now, so the file has its size. */
  override def closeFile(filePath: String): Unit = open.remove(filePath).foreach { file =>
    val path = new Path(filePath)
    val status = path.getFileSystem(conf.value).getFileStatus(path)
    written += WrittenFile(filePath, file.leaf, file.rows, status.getLen,
      status.getModificationTime, file.stats)
  }

  override def getFinalStats(taskCommitTime: Long): WriteTaskStats = TaskFiles(written.toSeq)
}

final private class OpenFile(schema: StructType, val leaf: Int) {

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
