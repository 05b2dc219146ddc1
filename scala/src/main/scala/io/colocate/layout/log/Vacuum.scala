package io.colocate.layout.log

import java.io.FileNotFoundException
import java.util.concurrent.TimeUnit

import scala.collection.mutable
import scala.util.Try

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}

/**
 * A file that no version needs.
 *
 * @param path     below the table
 * @param modified in milliseconds
 */
final case class Orphan(path: String, bytes: Long, modified: Long)

/**
 * What a vacuum removed, or would remove.
 *
 * @param oldestVersion the oldest version that can be read afterwards
 * @param removed       paths; none in a dry run
 * @param failed        files that could not be removed, and why
 */
final case class VacuumReport(
    oldestVersion: Long,
    orphans: Seq[Orphan],
    removed: Seq[String],
    failed: Map[String, String]) {
  def bytes: Long = orphans.map(_.bytes).sum
}

/**
 * Removes data files that no version within the retention needs, and the temporary files that commits
 * which were killed left in the log.
 *
 * A file that is younger than the retention stays: a writer may be about to commit it. That a
 * writer was slower than that is not left to luck: a vacuum is itself a version, written before
 * anything is removed, and the log refuses files that are too old for it.
 */
object Vacuum {

  val DefaultRetention: Long = TimeUnit.DAYS.toMillis(7)

  /** Below this a writer of ordinary speed could lose its files. */
  val LeastRetention: Long = TimeUnit.HOURS.toMillis(1)

  /**
   * @param retention in milliseconds
   * @param alone     true if nobody else reads or writes; lets a retention below the least pass
   */
  def apply(
      log: TableLog,
      fs: FileSystem,
      retention: Long = DefaultRetention,
      dryRun: Boolean = false,
      alone: Boolean = false): VacuumReport = {
    val least = if (alone) 0L else LeastRetention
    if (retention < least) throw new RetentionTooShort(retention, least)
    val cutoff = log.now() - retention
    val newest = log.snapshot()
    val oldest = oldestVersion(log, newest, cutoff)
    val listed = list(fs, log.path).filter(_.modified <= cutoff)
    val orphans = without(listed, needed(log, oldest, newest.version))
    if (dryRun || orphans.isEmpty) VacuumReport(oldest, orphans, Nil, Map.empty)
    else {
      val parameters = Map("retentionMillis" -> retention.toString)
      val metrics = Map("files" -> orphans.length.toLong, "bytes" -> orphans.map(_.bytes).sum)
      val info = CommitInfo("VACUUM", parameters, metrics)
      val version =
        log.commit(newest.version, Seq(Vacuumed(oldest, cutoff), info), Isolation.Append)
      // What was committed while we listed is needed too.
      val still = without(orphans, needed(log, oldest, version))
      remove(fs, log.path, VacuumReport(oldest, still, Nil, Map.empty))
    }
  }

  /** The version that was the newest when the retention began. */
  private def oldestVersion(log: TableLog, newest: Snapshot, cutoff: Long): Long = {
    val atCutoff =
      try log.versionAt(cutoff)
      catch { case _: TimestampTooEarly => 0L }
    atCutoff.max(newest.vacuumed.fold(0L)(_.oldestVersion))
  }

  /** All paths that are in one of these versions. */
  private def needed(log: TableLog, oldest: Long, newest: Long): collection.Set[String] = {
    val first = log.snapshot(oldest)
    val paths = mutable.HashSet.from(first.files.paths)
    log.actions(oldest + 1, newest) {
      case file: FileAdded => paths += file.path
      case _ => ()
    }
    paths
  }

  private def without(orphans: Seq[Orphan], needed: collection.Set[String]): Seq[Orphan] =
    orphans.filterNot(orphan => needed(orphan.path))

  private def remove(fs: FileSystem, table: Path, planned: VacuumReport): VacuumReport = {
    val results = planned.orphans.map { orphan =>
      orphan.path -> Try(fs.delete(new Path(table, orphan.path), false)).toEither
    }
    val failed = results.collect { case (path, Left(e)) => path -> e.toString }.toMap
    planned.copy(removed = results.collect { case (path, Right(_)) => path }, failed = failed)
  }

  private def list(fs: FileSystem, table: Path): Seq[Orphan] = {
    val root = fs.makeQualified(table).toUri.getPath.stripSuffix("/") + "/"
    (dataFiles(fs, table) ++ temporaries(fs, table)).map { file =>
      val below = file.getPath.toUri.getPath.stripPrefix(root)
      Orphan(below, file.getLen, file.getModificationTime)
    }
  }

  private def dataFiles(fs: FileSystem, table: Path): Seq[FileStatus] = {
    val found = mutable.ArrayBuffer.empty[FileStatus]
    def visit(folder: Path): Unit = children(fs, folder).foreach { status =>
      val path = status.getPath
      if (status.isDirectory) {
        if (!hidden(path) || path.getName == Staging) visit(path)
      } else if (!hidden(path)) found += status
    }
    visit(table)
    found.toSeq
  }

  /** Of commits, those that go on and those that were killed. */
  private def temporaries(fs: FileSystem, table: Path): Seq[FileStatus] =
    children(fs, new Path(table, LogNames.Folder))
      .filter(file => LogNames.isTemporary(file.getPath.getName)).toSeq

  /** A folder may go while it is read: a job that ends removes its own. */
  private def children(fs: FileSystem, folder: Path): Iterator[FileStatus] =
    try fs.listStatus(folder).iterator
    catch { case _: FileNotFoundException => Iterator.empty }

  /** The log is hidden, and so is what other tools keep beside data. */
  private def hidden(path: Path): Boolean = path.getName.matches("[_.].*")

  /** Where Spark's jobs write before they are done. */
  private val Staging = "_temporary"
}
