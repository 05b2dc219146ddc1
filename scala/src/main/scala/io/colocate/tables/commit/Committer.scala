package io.colocate.tables.commit

import java.io.IOException

import scala.annotation.tailrec

import io.colocate.tables.format.{CommitFailed, CommitUnknown, ConcurrentChange, EntryFile, InvalidCommit, LogNames, RowsMoved, TableNotFound, TooBusy}
import io.colocate.tables.snapshot.LogFiles

/**
 * Appends a commit to a log. If another writer took its number, it reads the entries in between and
 * retries with the next number, unless they conflict with it ([[Conflicts]]).
 *
 * @param table for errors
 */
final private[tables] class Committer(table: String, files: LogFiles, clock: () => Long) {

  import Committer._

  /** @return the version that the commit became */
  def apply(commit: Commit): Long = {
    CommitRules.problem(commit).foreach(what => throw new InvalidCommit(table, what))
    val read =
      commit.base.fold(Seen(Commit.NoVersion, 0))(base => Seen(base.version, base.info.time))
    put(commit, new Conflicts(commit), read, 1)
  }

  @tailrec
  private def put(commit: Commit, conflicts: Conflicts, seen: Seen, tries: Int): Long =
    catchUp(commit, conflicts, seen) match {
      case Left(version) => version
      case Right(now) =>
        val version = now.version + 1
        // The table may have been dropped. An entry alone would be in the way of the next one of its name.
        if (commit.base.nonEmpty && !files.has(now.version)) throw new TableNotFound(table)
        if (tries > MaxTries) throw new TooBusy(table, MaxTries)
        if (putEntry(commit, version, clock().max(now.time + 1))) version
        else put(commit, conflicts, now, tries + 1)
    }

  /**
   * Reads the entries that were committed since.
   *
   * @return Left with the version if it is our own commit: a call that failed may have done its work
   * @throws RowsMoved if there are no conflicts but with commits that left the rows as they are
   */
  private def catchUp(commit: Commit, conflicts: Conflicts, from: Seen): Either[Long, Seen] = {
    var moved = Option.empty[Moved]
    val latest = files.latest(Option(from.version).filter(_ >= 0))
    @tailrec
    def next(seen: Seen): Either[Long, Seen] =
      if (seen.version >= latest) {
        moved.foreach(first => throw first.error(table, commit.readVersion, seen.version))
        Right(seen)
      } else {
        val version = seen.version + 1
        val info = files.head(version)
        if (info.id == commit.id) Left(version)
        else {
          files.entry(version, commit.types) { action =>
            conflicts(action).foreach {
              case Conflict(what, true) => moved = moved.orElse(Some(Moved(version, what)))
              case Conflict(what, false) =>
                throw new ConcurrentChange(table, commit.readVersion, version, what)
            }
          }
          next(Seen(version, info.time))
        }
      }
    next(from)
  }

  /** @return false if this version has an entry already, perhaps our own */
  private def putEntry(commit: Commit, version: Long, time: Long): Boolean = {
    val name = LogNames.entry(version)
    try files.store.putIfAbsent(name)(EntryFile.write(_, commit.stamped(time), commit.types))
    catch {
      case e: IOException =>
        val there =
          try files.store.exists(name)
          catch {
            case again: IOException => throw new CommitUnknown(files.file(version), version, again)
          }
        if (there) false else throw new CommitFailed(files.file(version), version, e)
    }
  }
}

private[tables] object Committer {

  private val MaxTries = 1000

  /** The newest entry that a commit has looked at. */
  final private case class Seen(version: Long, time: Long)

  /** The first commit that put the rows elsewhere. */
  final private case class Moved(version: Long, what: String) {
    def error(table: String, readVersion: Long, newest: Long): RowsMoved =
      new RowsMoved(table, readVersion, version, what, newest)
  }
}
