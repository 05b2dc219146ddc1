package io.colocate.tables.commit

import java.time.Instant

import scala.annotation.tailrec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.colocate.tables.format.{Action, CommitInfo, Isolation, LogNames, LogStore, TableNotFound, TimestampTooEarly, VersionNotFound, VersionVacuumed}
import io.colocate.tables.snapshot.{Checkpoint, Listing, LogFiles, Snapshot, SnapshotCache}

/** A version of a table in its history. */
final case class HistoryEntry(version: Long, info: CommitInfo)

/**
 * The log of one table: numbered files, each of which says what one commit did.
 *
 * A version is committed by the one step that puts its file, and by nothing else. Before it, a
 * crash leaves data files that belong to nothing; after it, a table that has the version. Readers
 * hold a [[Snapshot]] and take no lock; writers are optimistic.
 *
 * @param path  of the table
 * @param clock the time in milliseconds
 */
final class TableLog(
    val path: Path,
    store: LogStore,
    clock: () => Long = () => System.currentTimeMillis()) {

  private val files = new LogFiles(store)
  private val key = path.toString

  def exists: Boolean = files.listing().latest >= 0

  /** @throws TableNotFound where there is none */
  def latestVersion: Long = present().latest

  /** The newest version. */
  def snapshot(): Snapshot = {
    val listing = present()
    load(listing.latest, listing)
  }

  /** An older version, or the newest. */
  def snapshot(version: Long): Snapshot = {
    val listing = present(version)
    val newest = load(listing.latest, listing)
    newest.vacuumed.filter(version < _.oldestVersion).foreach { vacuumed =>
      throw new VersionVacuumed(key, version, vacuumed.oldestVersion, newest.version)
    }
    if (version == newest.version) newest else load(version, listing)
  }

  /** The newest version that is not younger than a time in milliseconds. */
  def versionAt(millis: Long): Long = {
    @tailrec
    def search(low: Long, high: Long): Long =
      if (low == high) low
      else {
        val middle = low + (high - low + 1) / 2
        if (files.head(middle).time <= millis) search(middle, high) else search(low, middle - 1)
      }
    val latest = latestVersion
    val first = files.head(0).time
    if (millis < first) throw new TimestampTooEarly(key, text(millis), text(first))
    search(0, latest)
  }

  /** All versions, newest first; each is read when it is asked for. */
  def history: Iterator[HistoryEntry] =
    Iterator.iterate(latestVersion)(_ - 1).takeWhile(_ >= 0)
      .map(version => HistoryEntry(version, files.head(version)))

  /**
   * Commits a version. Nothing of it is there unless this returns, or fails with [[CommitUnknown]].
   *
   * @param readVersion the version that the actions rest on; [[TableLog.NoVersion]] to make the
   *                    table
   * @param actions     with one CommitInfo among them
   * @return the version
   * @throws ConcurrentChange where a commit in between is in the way
   * @throws InvalidCommit    where the actions contradict themselves or the version they rest on
   */
  def commit(readVersion: Long, actions: Seq[Action], isolation: Isolation): Long = {
    val base = Option.when(readVersion != TableLog.NoVersion)(read(readVersion))
    val version = new Committer(key, files, clock)(new Commit(base, actions, isolation))
    if (Checkpoint.due(version)) Checkpoint.write(store, read(version), version)
    version
  }

  /** The actions of the versions from `first` to `last`; statistics are left out. */
  private[tables] def actions(first: Long, last: Long)(use: Action => Unit): Unit =
    for (version <- first to last) files.entry(version, _ => None)(use)

  /** In milliseconds. */
  def now(): Long = clock()

  private def present(): Listing = {
    val listing = files.listing()
    if (listing.latest < 0) throw new TableNotFound(key)
    listing
  }

  private def present(version: Long): Listing = {
    val listing = present()
    if (version < 0 || version > listing.latest)
      throw new VersionNotFound(key, version, listing.latest)
    listing
  }

  /** A version, even if a vacuum has removed some of its files. */
  private def read(version: Long): Snapshot = load(version, present(version))

  private def load(version: Long, listing: Listing): Snapshot = {
    val cached = SnapshotCache.get(key).filter(_.version <= listing.latest).filter(same)
    val snapshot = files.snapshot(version, listing, cached.filter(_.version <= version))
    if (!cached.exists(_.version >= version)) SnapshotCache.put(key, snapshot)
    snapshot
  }

  /** A table may have been deleted and made again since. */
  private def same(cached: Snapshot): Boolean = files.head(cached.version).id == cached.info.id

  private def text(millis: Long): String = Instant.ofEpochMilli(millis).toString
}

object TableLog {

  /** Stands for the version before the first. */
  val NoVersion: Long = Commit.NoVersion

  /**
   * @param path         of the table
   * @param singleWriter true if nobody else writes at the same time; lets file systems pass that
   *                     cannot keep two writers apart
   */
  def open(path: Path, conf: Configuration, singleWriter: Boolean = false): TableLog = {
    val qualified = path.getFileSystem(conf).makeQualified(path)
    val log = new Path(qualified, LogNames.Folder)
    new TableLog(qualified, LogStore(log, conf, singleWriter))
  }
}
