package io.colocate.tables.operations

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.StructType

import io.colocate.rule.ColocateConf
import io.colocate.tables.commit.{LayoutSpace, TableLog, Vacuum, VacuumReport}
import io.colocate.tables.format.{Action, CommitInfo, CommitUnknown, FileAdded, FileRemoved, Isolation, Metadata, RowsMoved, TreeAdded, TreeRemoved, VacuumIncomplete}
import io.colocate.tables.scan.{ListedFiles, PinnedFileIndex, ReadOnlyParquet}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree
import io.colocate.tables.write.{Discard, LeafWriter, RowSource}

/** Shared by all operations on a table, which read some of its files, write others, and commit. */
final private[colocate] class Transaction(session: SparkSession, log: TableLog) extends Logging {

  import Transaction._

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
    val version = orDelete(files)(put(readVersion, metadata, files, others, info, isolation))
    recache()
    version
  }

  /**
   * Commits files in place of all files of the table. If other files hold the same rows by now, because
   * the table was compacted or adapted, these are removed instead.
   *
   * Counter-example: a write whose files hold rows of those that it removes. It must read them again.
   *
   * @param metadata the metadata of the table after the commit
   * @param trees    those of the files, in place of all trees of the table
   * @param more     actions beside these
   */
  def commitInsteadOfAll(
      base: Snapshot,
      metadata: Metadata,
      trees: Seq[RobustTree],
      files: Seq[FileAdded],
      more: Seq[Action],
      info: CommitInfo): Long = {
    val version = orDelete(files) {
      rowsMoving(base, MostMoves) { newest =>
        // The table may have moved to a new tree meanwhile, which has the id of the first of ours.
        val by = (newest.freeTreeId - base.freeTreeId).max(0)
        val others = removed(newest, newest.files.indices, dataChange = true) ++
          newest.trees.map(tree => TreeRemoved(tree.id)) ++
          trees.map(tree => TreeAdded(tree.copy(id = tree.id + by))) ++
          Option.when(metadata != newest.metadata)(metadata) ++ more
        put(newest.version, metadata, files.map(file => file.copy(treeId = file.treeId + by)),
          others, info, Isolation.Overwrite())
      }
    }
    recache()
    version
  }

  /**
   * Commits the same rows in other files. What is cached of the table stays cached, as the rows are the
   * same; it refers to the older files, which a vacuum may remove, so that the vacuum lets it be read
   * again.
   *
   * @param gone  numbers of the files that held the rows
   * @param trees trees that are added, changed or removed
   */
  def commitLayout(
      base: Snapshot,
      files: Seq[FileAdded],
      gone: IndexedSeq[Int],
      trees: Seq[Action],
      info: CommitInfo): Long = orDelete(files) {
    val bytes = gone.iterator.map(base.files.bytes).sum
    put(base.version, base.metadata, files, removed(base, gone, dataChange = false) ++ trees,
      info.copy(metrics = info.metrics + (LayoutSpace.Removed -> bytes)), Isolation.Layout)
  }

  /**
   * Runs a write that is based on a version. If other writers put rows that it replaces into other files
   * meanwhile, and did nothing else that concerns it, it runs again on the version that has these.
   *
   * @param tries how often it may run
   */
  def rowsMoving[T](base: Snapshot, tries: Int)(write: Snapshot => T): T = {
    val done =
      try Right(write(base))
      catch { case moved: RowsMoved if tries > 1 => Left(moved) }
    done match {
      case Right(result) => result
      case Left(moved) => rowsMoving(log.snapshot(moved.newest), tries - 1)(write)
    }
  }

  private def put(
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
    log.commit(readVersion, files ++ others :+ info.copy(metrics = info.metrics ++ metrics),
      isolation)
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
   * Removes files that no version within the retention needs, see [[Vacuum]]. What is cached may be of an
   * older version, whose files it would need again if memory runs short; so it is read again.
   *
   * @throws VacuumIncomplete if a file could not be removed
   */
  def vacuum(retention: Long, dryRun: Boolean): VacuumReport = {
    val state = session.sessionState
    val report = Vacuum(log, log.path.getFileSystem(state.newHadoopConf()), retention, dryRun,
      ColocateConf.LayoutSingleWriter(state.conf))
    if (report.removed.nonEmpty) recache()
    if (report.failed.nonEmpty)
      throw new VacuumIncomplete(log.path.toString, report.orphans.length, report.failed)
    report
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

  /**
   * The rows of some files of a version in other files, which no version names yet.
   *
   * @param tree    routes the rows
   * @param step    what is done to the table, as the user sees it
   * @param options of the Parquet writer
   */
  def rewritten(
      base: Snapshot,
      files: IndexedSeq[Int],
      tree: RobustTree,
      tasks: LeafWriter.Tasks,
      step: String,
      options: Map[String, String] = Map.empty): Seq[FileAdded] =
    if (files.isEmpty) Nil
    else
      WriteStep(session, log.path, step) {
        LeafWriter(rows(read(base, files)), log.path, tree, tasks, options,
          dataChange = false).files
      }

  def rows(plan: LogicalPlan): RowSource = RowSource(session, plan)

  private def relation(schema: StructType, version: Long, index: ListedFiles): LogicalRelation =
    LogicalRelation(HadoopFsRelation(index, new StructType(), schema, None,
      new ReadOnlyParquet(log.path, version), ReadOnlyParquet.Strict)(session))
}

private[tables] object Transaction {

  /** How often a write may look for the files that it removes. Each time another writer was faster. */
  private val MostMoves = 100
}
