package io.colocate.tables.commit

import java.io.FileNotFoundException
import java.util.concurrent.TimeUnit

import scala.collection.mutable
import scala.util.{Failure, Success, Try}

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}

import io.colocate.tables.format.{CommitInfo, DataFileName, FileAdded, Isolation, LogNames, RetentionTooShort, TimestampTooEarly, Vacuumed}
import io.colocate.tables.snapshot.Snapshot

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
 * Only files of the table: those that the log has named, and those whose name our writer gives
 * ([[DataFileName]]). Whatever else lies in the folder, or in folders below it, is somebody's.
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
    val listed = list(fs, log, newest.version).filter(_.modified <= cutoff)
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
      val file = new Path(table, orphan.path)
      // False is said of a file that is there and stays, and of one that somebody else has removed.
      orphan.path -> Try(fs.delete(file, false) || !fs.exists(file))
    }
    val failed = results.collect {
      case (path, Failure(e)) => path -> e.toString
      case (path, Success(false)) => path -> "the file system did not remove it"
    }
    planned.copy(removed = results.map(_._1).diff(failed.map(_._1)), failed = failed.toMap)
  }

  private def list(fs: FileSystem, log: TableLog, newest: Long): Seq[Orphan] =
    dataFiles(fs, log, newest) ++ temporaries(fs, log.path)

  private def dataFiles(fs: FileSystem, log: TableLog, newest: Long): Seq[Orphan] = {
    val named = mutable.LinkedHashSet.empty[String]
    log.actions(0, newest) {
      case file: FileAdded => named += file.path
      case _ => ()
    }
    val folders = named.iterator.map(folderOf).toSet + ""
    for {
      folder <- folders.toSeq
      place = if (folder.isEmpty) log.path else new Path(log.path, folder)
      file <- children(fs, place) if file.isFile
      path = folder + file.getPath.getName
      if named(path) || folder.isEmpty && DataFileName.leaf(path).nonEmpty
    } yield Orphan(path, file.getLen, file.getModificationTime)
  }

  /** "" or a path that ends with a slash. */
  private def folderOf(path: String): String = path.substring(0, path.lastIndexOf('/') + 1)

  /** Of commits, those that go on and those that were killed. */
  private def temporaries(fs: FileSystem, table: Path): Seq[Orphan] =
    children(fs, new Path(table, LogNames.Folder))
      .filter(file => LogNames.isTemporary(file.getPath.getName)).map { file =>
        val path = s"${LogNames.Folder}/${file.getPath.getName}"
        Orphan(path, file.getLen, file.getModificationTime)
      }.toSeq

  /** A folder may go while it is read. */
  private def children(fs: FileSystem, folder: Path): Iterator[FileStatus] =
    try fs.listStatus(folder).iterator
    catch { case _: FileNotFoundException => Iterator.empty }
}
