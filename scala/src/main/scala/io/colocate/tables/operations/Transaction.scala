package io.colocate.tables.operations

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.StructType

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{Action, CommitInfo, CommitUnknown, FileAdded, FileRemoved, Isolation, Metadata}
import io.colocate.tables.scan.{ListedFiles, PinnedFileIndex, ReadOnlyParquet}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.write.{Discard, RowSource}

/** Shared by all operations on a table, which read some of its files, write others, and commit. */
final private[colocate] class Transaction(session: SparkSession, log: TableLog) extends Logging {

  /**
   * Commits new files together with other actions; if that fails, the files are deleted again.
   *
   * @param metadata the metadata of the table after the commit
   */
  def commit(
      readVersion: Long,
      metadata: Metadata,
      files: Seq[FileAdded],
      others: Seq[Action],
      info: CommitInfo,
      isolation: Isolation): Long = {
    val gone = others.collect { case removed: FileRemoved => removed }.length.toLong
    val metrics =
      Map("filesAdded" -> files.length.toLong, "rowsAdded" -> rowsOf(files, metadata.replicated),
        "bytesAdded" -> files.map(_.bytes).sum, "filesRemoved" -> gone)
    val version = orDelete(files) {
      log.commit(readVersion, files ++ others :+ info.copy(metrics = info.metrics ++ metrics),
        isolation)
    }
    recache()
    version
  }

  /** A row counts once, however many copies of it are written. */
  private def rowsOf(files: Seq[FileAdded], replicated: Boolean): Long = {
    val byTree = files.groupMapReduce(_.treeId)(_.rows)(_ + _).values
    if (replicated) byTree.maxOption.getOrElse(0L) else byTree.sum
  }

  /**
   * Lets the session read its cached rows of the table again when they are next used. The version is
   * committed by now, so nothing may fail the call: rows that cannot be read again, because their
   * columns have changed, are dropped from the cache.
   */
  private def recache(): Unit =
    try session.sharedState.cacheManager.recacheByPath(session, log.path.toString)
    catch {
      case NonFatal(e) =>
        logWarning(s"Cached rows of ${log.path} could not be read again and are cached no more.", e)
    }

  /**
   * Deletes files if `body` fails, unless they may belong to the table by then: a thread may be
   * interrupted, or run out of memory, after its commit. A vacuum will find the files.
   */
  def orDelete[T](files: Seq[FileAdded])(body: => T): T =
    try body
    catch {
      case e: CommitUnknown => throw e
      case NonFatal(e) =>
        Discard(
          files.map(file => new Path(log.path, file.path)), session.sessionState.newHadoopConf())
        throw e
    }

  def removed(base: Snapshot, files: Iterable[Int], dataChange: Boolean): Seq[FileRemoved] = {
    val now = log.now()
    files.map(i => FileRemoved(base.files.path(i), now, dataChange)).toSeq
  }

  /** The rows of some files of a version. */
  def read(base: Snapshot, files: IndexedSeq[Int]): LogicalRelation =
    relation(base.schema, base.version, PinnedFileIndex(log.path, base, files, None))

  /** The rows of files that no version names yet. */
  def read(schema: StructType, files: Seq[FileAdded]): LogicalRelation =
    relation(schema, TableLog.NoVersion, ListedFiles.written(log.path, files))

  def rows(plan: LogicalPlan): RowSource = RowSource(session, plan)

  private def relation(schema: StructType, version: Long, index: ListedFiles): LogicalRelation =
    LogicalRelation(HadoopFsRelation(index, new StructType(), schema, None,
      new ReadOnlyParquet(log.path, version), ReadOnlyParquet.Strict)(session))
}
