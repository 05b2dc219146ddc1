package io.colocate.tables.commit

import java.io.FileNotFoundException
import java.util.concurrent.TimeUnit

import scala.util.{Failure, Success, Try}

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}

import io.colocate.tables.format.{CommitInfo, DataFileName, Isolation, LogNames, RetentionTooShort, TimestampTooEarly, Vacuumed}
import io.colocate.tables.snapshot.Snapshot

/**
 * A file that no version needs.
 *
 * @param path     relative to the table
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
 * Removes data files that no version within the retention needs, temporary files that killed commits left in
 * the log, and the log's files of versions that are older than the log's own retention ([[LogRetention]]).
 *
 * Removes only files of the table: those that the log has named, and those with names of our writer
 * ([[DataFileName]]). Other files in the folder, or in folders below it, are not ours and stay.
 *
 * A file that is younger than the retention stays: a writer may be about to commit it. Slower writers
 * are safe too: a vacuum is itself a version, written before anything is removed, and the log refuses
 * files that are too old for it.
 */
object Vacuum {

  val DefaultRetention: Long = TimeUnit.DAYS.toMillis(7)

  /** With a shorter retention a writer of ordinary speed could lose its files. */
  val LeastRetention: Long = TimeUnit.HOURS.toMillis(1)

  /**
   * @param retention in milliseconds
   * @param alone     true if no other process reads or writes; allows a retention below the least
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
    val orphans = without(listed, log.paths(oldest, newest.version))
    val planned = VacuumReport(oldest, orphans, Nil, Map.empty)
    if (dryRun) planned
    else {
      val done =
        if (orphans.isEmpty) planned else removed(log, fs, planned, newest, retention, cutoff)
      log.expire()
      done
    }
  }

  /** What users write for a retention. */
  val AcceptedHours: String = "a number from 0"

  /** Hours, as users write them, in milliseconds; None if they are not accepted. */
  def retention(hours: String): Option[Long] =
    hours.trim.toDoubleOption.filter(_ >= 0).map(h => (h * TimeUnit.HOURS.toMillis(1)).toLong)

  /** Commits the vacuum first, as readers and writers must know of it. */
  private def removed(
      log: TableLog,
      fs: FileSystem,
      planned: VacuumReport,
      newest: Snapshot,
      retention: Long,
      cutoff: Long): VacuumReport = {
    val VacuumReport(oldest, orphans, _, _) = planned
    val parameters = Map("retentionMillis" -> retention.toString)
    val metrics = Map("files" -> orphans.length.toLong, "bytes" -> orphans.map(_.bytes).sum)
    val info = CommitInfo("VACUUM", parameters, metrics)
    val version = log.commit(newest.version, Seq(Vacuumed(oldest, cutoff), info), Isolation.Append)
    // Files that were committed during the listing are needed too.
    remove(fs, log.path, planned.copy(orphans = without(orphans, log.paths(oldest, version))))
  }

  /** The version that was the newest when the retention began. */
  private def oldestVersion(log: TableLog, newest: Snapshot, cutoff: Long): Long = {
    val atCutoff =
      try log.versionAt(cutoff)
      catch { case _: TimestampTooEarly => log.firstVersion }
    atCutoff.max(newest.vacuumed.fold(0L)(_.oldestVersion))
  }

  private def without(orphans: Seq[Orphan], needed: collection.Set[String]): Seq[Orphan] =
    orphans.filterNot(orphan => needed(orphan.path))

  private def remove(fs: FileSystem, table: Path, planned: VacuumReport): VacuumReport = {
    val results = planned.orphans.map { orphan =>
      val file = new Path(table, orphan.path)
      // `delete` returns false for a file that it could not remove, and for one that is already gone.
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
    val named = log.paths(log.firstVersion, newest)
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

  /** Temporary files of commits that are running, and of commits that were killed. */
  private def temporaries(fs: FileSystem, table: Path): Seq[Orphan] =
    children(fs, new Path(table, LogNames.Folder))
      .filter(file => LogNames.isTemporary(file.getPath.getName)).map { file =>
        val path = s"${LogNames.Folder}/${file.getPath.getName}"
        Orphan(path, file.getLen, file.getModificationTime)
      }.toSeq

  /** A folder may be removed while it is listed. */
  private def children(fs: FileSystem, folder: Path): Iterator[FileStatus] =
    try fs.listStatus(folder).iterator
    catch { case _: FileNotFoundException => Iterator.empty }
}
