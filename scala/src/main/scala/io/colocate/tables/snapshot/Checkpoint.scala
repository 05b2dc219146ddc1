package io.colocate.tables.snapshot

import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

import io.colocate.tables.format.{EntryFile, FutureFormat, LogNames, LogStore, UnknownAction}

/**
 * What makes a version, in one file, so that a reader need not begin at version 0. It only saves
 * time: one that is lost or damaged is passed over, and the log itself is read instead.
 */
private[tables] object Checkpoint extends Logging {

  /** A checkpoint for every so many versions. */
  val Every: Long = 10

  def due(version: Long): Boolean = version > 0 && version % Every == 0

  /** Writes the checkpoint of a version; a failure is logged, as nothing is lost by it. */
  def write(store: LogStore, snapshot: => Snapshot, version: Long): Unit =
    try {
      val written = snapshot
      store.putIfAbsent(LogNames.checkpoint(version)) { out =>
        val zipped = new GZIPOutputStream(out, 1 << 16)
        EntryFile.write(zipped, written.actions, written.metadata.types.get)
        zipped.finish()
      }
    } catch {
      case NonFatal(e) =>
        val file = store.path(LogNames.checkpoint(version))
        logWarning(s"The checkpoint $file could not be written ($e); reading takes longer.")
    }

  /** The version of a checkpoint; None where it cannot be read. */
  def read(store: LogStore, version: Long): Option[Snapshot] = {
    val file = store.path(LogNames.checkpoint(version))
    try
      Using.resource(store.open(LogNames.checkpoint(version))) { in =>
        val replay = new LogReplay(None)
        val unzipped = new GZIPInputStream(in, 1 << 16)
        EntryFile.read(unzipped, file, version, replay.types)(replay(_))
        Some(replay.result(version, file))
      }
    catch {
      // What a newer release wrote is no damage.
      case e @ (_: FutureFormat | _: UnknownAction) => throw e
      case NonFatal(e) =>
        logWarning(s"The checkpoint $file cannot be read ($e); the log is read instead.")
        None
    }
  }
}
