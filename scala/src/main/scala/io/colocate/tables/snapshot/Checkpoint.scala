package io.colocate.tables.snapshot

import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import scala.util.{Try, Using}
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

import io.colocate.tables.format.{EntryFile, FutureFormat, LogNames, LogStore, UnknownAction}

/**
 * A whole version in one file, so that a reader need not begin at version 0. It only saves time: a lost
 * or damaged one is skipped, and the log itself is read instead.
 *
 * A small file beside it names the last checkpoint, so that readers need not list a long log to find it.
 */
private[tables] object Checkpoint extends Logging {

  /** A checkpoint is written every so many versions. */
  val Every: Long = 10

  def due(version: Long): Boolean = version > 0 && version % Every == 0

  /** Writes the checkpoint of a version; a failure is only logged, as it loses nothing. */
  def write(store: LogStore, snapshot: => Snapshot, version: Long): Unit =
    try {
      val written = snapshot
      store.putIfAbsent(LogNames.checkpoint(version)) { out =>
        val zipped = new GZIPOutputStream(out, 1 << 16)
        EntryFile.write(zipped, written.actions, written.metadata.types.get)
        zipped.finish()
      }
      store.replace(LogNames.LastCheckpoint)(_.write(s"$version\n".getBytes(UTF_8)))
    } catch {
      case NonFatal(e) =>
        val file = store.path(LogNames.checkpoint(version))
        logWarning(s"The checkpoint $file could not be written ($e); reading takes longer.")
    }

  /** The version of the last checkpoint, or of one shortly before it; None if it is unknown. */
  def last(store: LogStore): Option[Long] =
    Try(Using.resource(store.open(LogNames.LastCheckpoint))(_.readNBytes(MostDigits)))
      .toOption.map(new String(_, UTF_8)).filter(_.endsWith("\n")).flatMap(_.trim.toLongOption)

  private val MostDigits = 20

  /** The snapshot in a checkpoint; None if it cannot be read. */
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
      // A checkpoint of a newer release is not damaged.
      case e @ (_: FutureFormat | _: UnknownAction) => throw e
      case NonFatal(e) =>
        logWarning(s"The checkpoint $file cannot be read ($e); the log is read instead.")
        None
    }
  }
}
