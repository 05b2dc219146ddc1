package io.colocate.tables.commit

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

import io.colocate.tables.format.{LogNames, LogStore}
import io.colocate.tables.snapshot.{Checkpoint, Listing, LogFiles}

/**
 * Removes the log's files of versions that are older than a retention.
 *
 * {{{
 *   retention begins here:        v
 *   0 .. 10 .. 20 .. 30 .. 40 .. 44 .. 50      the last checkpoint before it is 40; the one before
 *                    30 .. 40 .. 44 .. 50      that is kept too, in case 40 turns out to be damaged
 * }}}
 *
 * Every version that was the newest at some time within the retention can still be read, and so can all
 * versions after it. Counter-example: a checkpoint that is kept cannot be read; then nothing is removed.
 */
private[tables] object LogRetention extends Logging {

  /** The log is checked once every so many versions. */
  val Every: Long = 10 * Checkpoint.Every

  def due(version: Long): Boolean = version > 0 && version % Every == 0

  /**
   * @param oldest of what the log has, the version that was the newest when the retention began; None if
   *               it began before the log
   * @return the names of the removed files; a failure is only logged, as it loses nothing
   */
  def apply(files: LogFiles)(oldest: Listing => Option[Long]): Seq[String] =
    try {
      val listing = files.listing()
      oldest(listing).toSeq.flatMap(before(files.store, listing, _))
    } catch {
      case NonFatal(e) =>
        logWarning(s"Old entries of the log ${files.store.path("")} are still there ($e).")
        Nil
    }

  private def before(store: LogStore, listing: Listing, oldest: Long): Seq[String] = {
    val kept = listing.checkpoints.filter(_ <= oldest).takeRight(2)
    val readable = kept.length == 2 && kept.forall(Checkpoint.read(store, _).isDefined)
    if (readable) remove(store, expired(listing.first, kept.head, listing.checkpoints))
    else Nil
  }

  /** The oldest first: wherever this stops, the log begins at some version and has all later ones. */
  private def expired(first: Long, begin: Long, checkpoints: Seq[Long]): Seq[String] =
    checkpoints.filter(_ < begin).map(LogNames.checkpoint) ++
      (first until begin).map(LogNames.entry)

  private def remove(store: LogStore, names: Seq[String]): Seq[String] = {
    names.foreach(store.delete)
    names
  }
}
