package io.colocate.tables.snapshot

import java.io.{FileNotFoundException, IOException}

import scala.annotation.tailrec
import scala.util.Using

import io.colocate.tables.format.{Action, CommitInfo, EntryFile, LogDamaged, LogHole, LogNames, LogStore}
import io.colocate.tables.format.ActionJson.Types

/** Reads a log: which versions there are, and what is in them. */
final private[tables] class LogFiles(val store: LogStore) {

  /**
   * The newest version, -1 if there is none. The folder is listed only if no version is known to begin
   * at, so that a long log is opened as fast as a short one.
   *
   * @param known a version that the caller has just read from the log
   */
  def latest(known: Option[Long]): Long =
    (known ++ Checkpoint.last(store)).maxOption.filter(version =>
      known.contains(version) || has(version))
      .fold(listing().latest)(after)

  /** The current contents of the folder; empty if there is no version. */
  def listing(): Listing =
    // Old entries may be removed, and new ones added, while the folder is listed.
    looked().orElse(looked()).fold(hole, identity)

  def entry(version: Long, types: Types)(use: Action => Unit): Unit =
    opened(version)(EntryFile.read(_, file(version), version, types)(use)).getOrElse(hole(version))

  /** Who wrote a version. */
  def head(version: Long): CommitInfo = findHead(version).getOrElse(hole(version))

  /** Who wrote a version; None if the log does not have it. */
  def findHead(version: Long): Option[CommitInfo] =
    opened(version)(EntryFile.head(_, file(version), version))

  def has(version: Long): Boolean = store.exists(LogNames.entry(version))

  /** A version, built from the nearest earlier one that is available. */
  def snapshot(version: Long, known: Option[Snapshot]): Snapshot = {
    val from = known.filter(_.version <= version).orElse(checkpoint(version))
    if (from.exists(_.version == version)) from.get
    else {
      val replay = new LogReplay(from)
      for (v <- from.fold(0L)(_.version + 1) to version) entry(v, replay.types)(replay(_))
      replay.result(version, file(version))
    }
  }

  def file(version: Long): String = store.path(LogNames.entry(version))

  /** The end of the log. An entry that is missing before another one is lost; it is not the end. */
  @tailrec
  private def after(version: Long): Long =
    if (has(version + 1)) after(version + 1)
    else if (!has(version + 2)) version
    // Two writers may have committed between these checks.
    else if (has(version + 1)) after(version + 1)
    else hole(version + 1)

  private def checkpoint(version: Long): Option[Snapshot] =
    Checkpoint.last(store).filter(_ <= version).flatMap(Checkpoint.read(store, _)).orElse {
      listing().checkpoints.reverseIterator.filter(_ <= version)
        .flatMap(Checkpoint.read(store, _)).nextOption()
    }

  /** Left with a version that is missing. */
  private def looked(): Either[Long, Listing] = {
    val names = store.list()
    val (versions, checkpoints) = (LogNames.entries(names), LogNames.checkpoints(names))
    val first = versions.headOption.getOrElse(0L)
    val latest = versions.lastOption.getOrElse(-1L)
    // A checkpoint is written after its version, and a log that does not begin at 0 begins at a checkpoint.
    val end = checkpoints.lastOption.fold(latest)(_.max(latest))
    val begun = first == 0 || checkpoints.lastOption.exists(_ >= first)
    val listed = versions.toSet
    val missing =
      if (!begun) Some(first - 1)
      else if (versions.length == end - first + 1) None
      // A folder that is written to while it is listed may show a later file and not an earlier one.
      else
        Iterator.iterate(first)(_ + 1).takeWhile(_ <= end).find(v => !listed(v) && !has(v))
    missing.toLeft(Listing(first, latest, checkpoints.toSeq))
  }

  private def hole(version: Long): Nothing = throw new LogHole(file(version), version)

  private def opened[T](version: Long)(read: java.io.InputStream => T): Option[T] = {
    val in =
      try Some(store.open(LogNames.entry(version)))
      catch {
        case _: FileNotFoundException => None
        case e: IOException =>
          throw new LogDamaged(file(version), version, LogDamaged.describe(e), Some(e))
      }
    in.map(Using.resource(_)(read))
  }
}

/**
 * @param first       the oldest version that the log still has
 * @param latest      the newest version, -1 if there is no table
 * @param checkpoints versions, the oldest first
 */
final private[tables] case class Listing(first: Long, latest: Long, checkpoints: Seq[Long])
