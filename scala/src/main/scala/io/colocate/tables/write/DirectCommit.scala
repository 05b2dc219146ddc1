package io.colocate.tables.write

import scala.collection.mutable

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.{JobContext, TaskAttemptContext}

import org.apache.spark.internal.io.FileCommitProtocol
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage

import io.colocate.tables.format.DataFileName

/**
 * Lets Spark's writer put files directly into their final place, under unique names.
 *
 * Nothing needs to be moved at the end: a file is part of the table only once a version of the log names
 * it. Files of an attempt that failed, or was not the first, belong to no version; they are deleted
 * here, or by a vacuum if the process died.
 *
 * The leaf of a file is the value of the partition column if there is one, and the number of the task's
 * partition otherwise.
 *
 * @param table the path of the table
 */
final private[write] class DirectCommit(table: String)
    extends FileCommitProtocol
    with Serializable {

  /** On an executor the files of one task; on the driver those of all finished tasks. */
  @transient private lazy val files = mutable.ArrayBuffer.empty[String]

  override def setupJob(job: JobContext): Unit = {
    val path = new Path(table)
    path.getFileSystem(job.getConfiguration).mkdirs(path)
  }

  override def setupTask(task: TaskAttemptContext): Unit = files.clear()

  @deprecated("use newTaskTempFile(TaskAttemptContext, Option[String], FileNameSpec)", "0.1.0")
  override def newTaskTempFile(
      task: TaskAttemptContext,
      dir: Option[String],
      ext: String): String = {
    val leaf = dir.fold(task.getTaskAttemptID.getTaskID.getId)(LeafWriter.leafOf)
    val file = new Path(table, DataFileName(leaf, ext)).toString
    files += file
    file
  }

  @deprecated("use newTaskTempFileAbsPath(..., FileNameSpec)", "0.1.0")
  override def newTaskTempFileAbsPath(task: TaskAttemptContext, dir: String, ext: String): String =
    throw new UnsupportedOperationException(s"$table has no files outside of its path")

  override def commitTask(task: TaskAttemptContext): TaskCommitMessage =
    new TaskCommitMessage(files.toSeq)

  override def abortTask(task: TaskAttemptContext): Unit = discard(task)

  override def onTaskCommit(message: TaskCommitMessage): Unit =
    files ++= message.obj.asInstanceOf[Seq[String]]

  override def commitJob(job: JobContext, messages: Seq[TaskCommitMessage]): Unit = ()

  override def abortJob(job: JobContext): Unit = discard(job)

  private def discard(job: JobContext): Unit =
    Discard(files.map(new Path(_)), job.getConfiguration)
}
