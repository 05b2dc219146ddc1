package io.colocate.tables.snapshot

import java.io.{FileNotFoundException, IOException}

import scala.util.Using

import io.colocate.tables.format.{Action, CommitInfo, EntryFile, LogDamaged, LogHole, LogNames, LogStore}
import io.colocate.tables.format.ActionJson.Types

/** Reads a log: which versions there are, and what is in them. */
final private[tables] class LogFiles(val store: LogStore) {

  /** What the folder holds now. Nothing of it where there is no version. */
  def listing(): Listing = {
    val names = store.list()
    val (versions, checkpoints) = (LogNames.entries(names), LogNames.checkpoints(names))
    val latest = versions.lastOption.getOrElse(-1L)
    // A folder that is written to while it is listed may show a later file and not an earlier one.
    if (latest >= versions.length) {
      val listed = versions.toSet
      val missing = Iterator.iterate(0L)(_ + 1).takeWhile(_ <= latest)
        .find(v => !listed(v) && !store.exists(LogNames.entry(v)))
      missing.foreach(hole)
    }
    // A checkpoint is written after its version.
    checkpoints.lastOption.filter(_ > latest).foreach { version =>
      val missing = Iterator.iterate(latest + 1)(_ + 1).takeWhile(_ <= version)
        .find(v => !store.exists(LogNames.entry(v)))
      missing.foreach(hole)
    }
    Listing(latest, checkpoints.toSeq)
  }

  def entry(version: Long, types: Types)(use: Action => Unit): Unit =
    opened(version)(EntryFile.read(_, file(version), version, types)(use))

  /** Who wrote a version. */
  def head(version: Long): CommitInfo = opened(version)(EntryFile.head(_, file(version), version))

  /** A version, from the nearest earlier one that there is. */
  def snapshot(version: Long, listing: Listing, known: Option[Snapshot]): Snapshot = {
    val from = known.filter(_.version <= version).orElse {
      listing.checkpoints.reverseIterator.filter(_ <= version)
        .flatMap(Checkpoint.read(store, _)).nextOption()
    }
    if (from.exists(_.version == version)) from.get
    else {
      val replay = new LogReplay(from)
      for (v <- from.fold(0L)(_.version + 1) to version) entry(v, replay.types)(replay(_))
      replay.result(version, file(version))
    }
  }

  def file(version: Long): String = store.path(LogNames.entry(version))

  private def hole(version: Long): Nothing = throw new LogHole(file(version), version)

  private def opened[T](version: Long)(read: java.io.InputStream => T): T = {
    val in =
      try store.open(LogNames.entry(version))
      catch {
        case _: FileNotFoundException => hole(version)
        case e: IOException =>
          throw new LogDamaged(file(version), version, LogDamaged.describe(e), Some(e))
      }
    Using.resource(in)(read)
  }
}

/**
 * @param latest      -1 where there is no table
 * @param checkpoints versions, the oldest first
 */
final private[tables] case class Listing(latest: Long, checkpoints: Seq[Long])
