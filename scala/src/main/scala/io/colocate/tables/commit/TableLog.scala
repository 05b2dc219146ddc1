package io.colocate.tables.commit

import java.time.Instant
import java.util.concurrent.Executor

import scala.annotation.tailrec
import scala.collection.mutable

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, Isolation, LogHole, LogNames, LogStore, TableNotFound, TimestampTooEarly, VersionExpired, VersionNotFound, VersionVacuumed, ViewNotWritable}
import io.colocate.tables.snapshot.{Checkpoint, LogFiles, Snapshot, SnapshotCache}

/** A version of a table in its history. */
final case class HistoryEntry(version: Long, info: CommitInfo)

/**
 * The log of one table: numbered files, each of which records one commit.
 *
 * A version is committed by a single step, the creation of its file. A crash before that step leaves
 * data files that belong to no version; a crash after it leaves a table that has the version. Readers
 * hold a [[Snapshot]] and take no lock; writers are optimistic.
 *
 * @param path   of the table
 * @param clock  the time in milliseconds
 * @param upkeep runs work that no commit waits for
 */
final class TableLog(
    val path: Path,
    store: LogStore,
    clock: () => Long = () => System.currentTimeMillis(),
    upkeep: Executor = LogUpkeep.background) {

  private val files = new LogFiles(store)
  private val key = path.toString

  def exists: Boolean = files.latest(None) >= 0

  /** @throws TableNotFound if there is no table */
  def latestVersion: Long = present(cached)

  /** The oldest version that the log still has. */
  def firstVersion: Long = files.listing().first

  /** The oldest version that can be read: the log still has it, and a vacuum has left its files. */
  def oldestReadable: Long = firstVersion.max(snapshot().vacuumed.fold(0L)(_.oldestVersion))

  /** The newest version. */
  def snapshot(): Snapshot = {
    val known = cached
    val latest = present(known)
    load(latest, latest, known)
  }

  /** An older version, or the newest. */
  def snapshot(version: Long): Snapshot = {
    val newest = snapshot()
    requireVersion(version, newest.version)
    newest.vacuumed.filter(version < _.oldestVersion).foreach { vacuumed =>
      throw new VersionVacuumed(key, version, vacuumed.oldestVersion, newest.version)
    }
    if (version == newest.version) newest else load(version, newest.version, Some(newest))
  }

  /** The newest version that was committed at or before a time in milliseconds. */
  def versionAt(millis: Long): Long = versionAt(millis, firstVersion)

  /** The same; [[TableLog.NoVersion]] for a time before the table was created. */
  private[tables] def lastAt(millis: Long): Long = {
    val oldest = firstVersion
    if (oldest == 0 && millis < files.head(oldest).time) TableLog.NoVersion
    else versionAt(millis, oldest)
  }

  private def versionAt(millis: Long, oldest: Long): Long = {
    @tailrec
    def search(low: Long, high: Long): Long =
      if (low == high) low
      else {
        val middle = low + (high - low + 1) / 2
        if (files.head(middle).time <= millis) search(middle, high) else search(low, middle - 1)
      }
    val latest = latestVersion
    val first = files.head(oldest).time
    if (millis < first) throw new TimestampTooEarly(key, text(millis), text(first))
    search(oldest, latest)
  }

  /** The versions that the log still has, newest first; each is read when it is requested. */
  def history: Iterator[HistoryEntry] = {
    val oldest = firstVersion
    Iterator.iterate(latestVersion)(_ - 1).takeWhile(_ >= oldest)
      .map(version => HistoryEntry(version, files.head(version)))
  }

  /** A version and those before it, as far as the log has them. The log is not listed. */
  private[colocate] def backFrom(version: Long): Iterator[HistoryEntry] =
    Iterator.iterate(version)(_ - 1).takeWhile(_ >= 0)
      .map(v => files.findHead(v).map(HistoryEntry(v, _))).takeWhile(_.isDefined).flatten

  /**
   * Commits a version. If this fails, except with [[CommitUnknown]], nothing was committed.
   *
   * @param readVersion the version that the actions are based on; [[TableLog.NoVersion]] to create the table
   * @param actions     the actions, with one CommitInfo among them
   * @return the version
   * @throws ConcurrentChange if a commit in between conflicts
   * @throws ViewNotWritable  if it changes rows of a maintained view by hand
   * @throws InvalidCommit    if the actions contradict each other or the version that they are based on
   */
  def commit(readVersion: Long, actions: Seq[Action], isolation: Isolation): Long = {
    val base = Option.when(readVersion != TableLog.NoVersion)(read(readVersion))
    val commit = new Commit(base, actions, isolation)
    if (MaintainedOnly.refuses(commit)) throw new ViewNotWritable(key)
    val version = new Committer(key, files, clock)(commit)
    if (Checkpoint.due(version)) upkeep.execute(() => keepUp(version))
    version
  }

  /** Removes the log's files of versions that are older than its retention. */
  private[tables] def expire(): Seq[String] =
    LogRetention(files) { listing =>
      val cutoff = now() - snapshot().metadata.logRetention
      Option.when(files.head(listing.first).time <= cutoff)(versionAt(cutoff, listing.first))
    }

  private def keepUp(version: Long): Unit = {
    Checkpoint.write(store, read(version), version)
    if (LogRetention.due(version)) expire()
  }

  /** All files that are in any of these versions, even if a vacuum has removed some. */
  private[tables] def paths(first: Long, last: Long): collection.Set[String] = {
    val found = mutable.HashSet.from(read(first).files.paths)
    for (version <- first + 1 to last) actions(version) {
      case file: FileAdded => found += file.path
      case _ => ()
    }
    found
  }

  /** What a version did, without the statistics of its files. */
  private[tables] def actions(version: Long)(use: Action => Unit): Unit =
    files.entry(version, _ => None)(use)

  /** In milliseconds. */
  def now(): Long = clock()

  private def present(known: Option[Snapshot]): Long = {
    val latest = files.latest(known.map(_.version))
    if (latest < 0) throw new TableNotFound(key)
    latest
  }

  /** A version, even if a vacuum has removed some of its files. */
  private def read(version: Long): Snapshot = {
    val known = cached
    val latest = present(known)
    requireVersion(version, latest)
    load(version, latest, known)
  }

  private def requireVersion(version: Long, latest: Long): Unit =
    if (version < 0 || version > latest) throw new VersionNotFound(key, version, latest)

  private def load(version: Long, latest: Long, known: Option[Snapshot]): Snapshot = {
    val snapshot =
      try files.snapshot(version, known)
      catch {
        case _: LogHole if version < firstVersion =>
          throw new VersionExpired(key, version, firstVersion, latest)
      }
    if (!known.exists(_.version >= version)) SnapshotCache.put(key, snapshot)
    snapshot
  }

  /** The snapshot that this process has cached, unless the table was deleted and created again. */
  private def cached: Option[Snapshot] = SnapshotCache.get(key).filter(known =>
    files.findHead(known.version).exists(_.id == known.info.id))

  private def text(millis: Long): String = Instant.ofEpochMilli(millis).toString
}

object TableLog {

  /** Stands for the version before the first. */
  val NoVersion: Long = Commit.NoVersion

  /**
   * @param path         of the table
   * @param singleWriter true if no other process writes at the same time; allows file systems that
   *                     cannot keep two writers apart
   */
  def open(path: Path, conf: Configuration, singleWriter: Boolean = false): TableLog = {
    val qualified = path.getFileSystem(conf).makeQualified(path)
    val log = new Path(qualified, LogNames.Folder)
    new TableLog(qualified, LogStore(log, conf, singleWriter))
  }
}
