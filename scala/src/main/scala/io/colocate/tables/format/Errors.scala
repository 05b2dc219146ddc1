package io.colocate.tables.format

import com.fasterxml.jackson.core.JsonProcessingException

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.Origin

/** Errors of a table's log. Each names the file and the version, or what is accepted. */
sealed abstract class TableException(code: String, sentence: String, why: Option[Throwable] = None)
    extends AnalysisException(message = s"[$code] $sentence", cause = why, errorClass = Some(code),
      sqlState = Some("KD000")) {

  /** PySpark looks up the sentence of an error that has a position, in a list that does not have ours. */
  override def withPosition(origin: Origin): AnalysisException = this
}

final class InvalidOption(name: String, value: String, accepted: String)
    extends TableException("COLOCATE_TABLE_INVALID_OPTION",
      s"The option $name is '$value'; accepted: $accepted.")

/** The path is not empty, and is not a table. */
final class PathTaken(path: String)
    extends TableException("COLOCATE_TABLE_PATH_TAKEN",
      s"$path is not empty and is not a Colocate table; accepted: a path that does not exist or is" +
        " empty, or a Colocate table. Nothing was written.")

final class TableExists(path: String)
    extends TableException("COLOCATE_TABLE_EXISTS",
      s"$path is a Colocate table already; accepted: a path without one, or the mode append or" +
        " overwrite. Nothing was written.")

/** The rows to be written, or the schema that was asked for, do not fit the table. */
final class SchemaMismatch(path: String, what: String)
    extends TableException("COLOCATE_TABLE_SCHEMA_MISMATCH", s"The schema of $path: $what")

/** Changes are read with the columns of the last version, and an earlier one had others. */
final class ChangesSpanColumns(path: String, version: Long, column: String, last: Long)
    extends TableException("COLOCATE_TABLE_CHANGES_SPAN_COLUMNS",
      s"Version $version of $path has a column '$column' that version $last no longer has, or has with" +
        s" another type; accepted: changes up to a version with that column, or since a later one" +
        " than the overwrite that removed it.")

/** Changes come with columns of their own. */
final class ChangesNameTaken(path: String, column: String)
    extends TableException("COLOCATE_TABLE_CHANGES_NAME_TAKEN",
      s"$path has a column '$column', which is the name of a column of its changes; accepted: a table" +
        " whose columns have other names, to read changes of.")

final class NotSupported(what: String, instead: String)
    extends TableException("COLOCATE_TABLE_NOT_SUPPORTED",
      s"$what is not supported by Colocate tables yet; accepted: $instead.")

final class TableNotFound(path: String)
    extends TableException("COLOCATE_TABLE_NOT_FOUND",
      s"$path is not a Colocate table: it has no folder ${LogNames.Folder} with a version in it.")

final class VersionNotFound(path: String, version: Long, latest: Long)
    extends TableException("COLOCATE_TABLE_VERSION_NOT_FOUND",
      s"$path has no version $version; accepted: 0 to $latest.")

final class VersionVacuumed(path: String, version: Long, oldest: Long, latest: Long)
    extends TableException("COLOCATE_TABLE_VERSION_VACUUMED",
      s"Files of version $version of $path were removed by a vacuum; accepted: $oldest to $latest.")

final class VersionExpired(path: String, version: Long, oldest: Long, latest: Long)
    extends TableException("COLOCATE_TABLE_VERSION_EXPIRED",
      s"The log of $path no longer tells of version $version, which is older than its retention;" +
        s" accepted: $oldest to $latest.")

final class TimestampTooEarly(path: String, asked: String, first: String)
    extends TableException("COLOCATE_TABLE_TIMESTAMP_TOO_EARLY",
      s"$path has no version as old as $asked; accepted: $first or later.")

final class LogHole(file: String, version: Long)
    extends TableException("COLOCATE_TABLE_LOG_HOLE",
      s"The log entry $file of version $version is missing, though there are later ones. Without" +
        " it no later version can be trusted; bring it back from a copy.")

final class LogDamaged(file: String, version: Long, what: String, why: Option[Throwable] = None)
    extends TableException("COLOCATE_TABLE_LOG_DAMAGED",
      s"The log file $file of version $version cannot be read: $what.", why)

object LogDamaged {

  /** In one line, without the position in the text, as only one line of it was parsed. */
  private[tables] def describe(e: Throwable): String = e match {
    case json: JsonProcessingException => s"it is no JSON, ${json.getOriginalMessage}"
    case other => Option(other.getMessage).getOrElse(other.toString)
  }
}

final class CutsUnreadable(file: String, what: String, why: Option[Throwable] = None)
    extends TableException("COLOCATE_TABLE_CUTS_UNREADABLE",
      s"The file $file of shared cuts cannot be read: $what. Bring it back from a copy, or use" +
        " another name for the option cutRegistry.", why)

/** For readers: the log is intact, but a file that it names is missing. */
final class DataFileMissing(file: String, version: Long, why: Option[Throwable] = None)
    extends TableException("COLOCATE_TABLE_DATA_FILE_MISSING",
      s"The data file $file of version $version is missing: a vacuum removed it after the query was" +
        " planned, or somebody deleted it. Plan the query anew; if the file is missing then too," +
        " bring it back from a copy, or read another version.", why)

/** Rows of a maintained view that a user wants to change. */
final class ViewNotWritable(path: String)
    extends TableException("COLOCATE_VIEW_NOT_WRITABLE",
      s"$path is a maintained view, whose rows are those of its query; accepted: CALL colocate.refresh('$path')" +
        " after its sources have changed. Nothing was committed.")

/** A write that keeps rows of the table could not read all rows that the log has recorded. */
final class RowsMissing(path: String, version: Long, wanted: Long, read: Long)
    extends TableException("COLOCATE_TABLE_ROWS_MISSING",
      s"Only $read of $wanted rows could be read from the files of version $version of $path that this" +
        " write replaces; accepted: files that are all there and whole. Nothing was committed; bring" +
        " the files back from a copy, or overwrite the table with what another version has.")

final class UnknownAction(file: String, version: Long, action: String)
    extends TableException("COLOCATE_TABLE_UNKNOWN_ACTION",
      s"The log file $file of version $version has an action '$action'; known are" +
        s" ${ActionJson.names.mkString(", ")}. A newer release of Colocate, or another tool," +
        " wrote it.")

final class FutureFormat(file: String, version: Long, format: Int)
    extends TableException("COLOCATE_TABLE_FUTURE_FORMAT",
      s"The log file $file of version $version is in format $format; this release of Colocate" +
        s" reads formats up to ${Protocol.Current.formatVersion}. Use a newer release.")

/** Another commit came in between, and conflicts with this one. Nothing was written. */
sealed class ConcurrentChange(path: String, readVersion: Long, version: Long, what: String)
    extends TableException("COLOCATE_TABLE_CONCURRENT_CHANGE",
      s"Version $version of $path was written after this commit had read version $readVersion:" +
        s" $what. Nothing was committed; run the operation again.")

final class TooBusy(path: String, tries: Int)
    extends TableException("COLOCATE_TABLE_TOO_BUSY",
      s"Other writers of $path were faster $tries times in a row. Nothing was committed; run the" +
        " operation again.")

final class InvalidCommit(path: String, what: String)
    extends TableException("COLOCATE_TABLE_INVALID_COMMIT",
      s"A commit to $path is refused: $what. Nothing was committed.")

final class CommitFailed(file: String, version: Long, why: Throwable)
    extends TableException("COLOCATE_TABLE_COMMIT_FAILED",
      s"The log entry $file of version $version could not be written and is not there:" +
        s" $why", Some(why))

/**
 * The same where the rows that the commit replaces are all still there, and only in other files or under
 * another tree: the operation may run again on a later version.
 *
 * @param newest this version, up to which there was no other conflict
 */
final class RowsMoved(
    path: String,
    readVersion: Long,
    version: Long,
    what: String,
    val newest: Long)
    extends ConcurrentChange(path, readVersion, version, what)

/** The data files of the commit must stay: they may belong to the table. */
final class CommitUnknown(file: String, version: Long, why: Throwable)
    extends TableException("COLOCATE_TABLE_COMMIT_UNKNOWN",
      s"Whether the log entry $file of version $version was written cannot be told:" +
        s" $why. Look at the table's history before running the operation again.", Some(why))

final class NoAtomicPut(dir: String, why: String)
    extends TableException("COLOCATE_TABLE_NO_ATOMIC_PUT",
      s"The log $dir cannot be written safely: $why, so two writers could overwrite each other's" +
        " version. Accepted: local disks with hard links, HDFS, object stores with the capability" +
        " fs.option.create.conditional.overwrite; or, if nobody else writes at the same time," +
        " spark.colocate.layout.singleWriter = true.")

/** @param failed files of the table, each with the reason why it is still there */
final class VacuumIncomplete(table: String, orphans: Int, failed: Map[String, String])
    extends TableException("COLOCATE_TABLE_VACUUM_INCOMPLETE",
      s"${failed.size} of $orphans files of $table that no version needs could not be removed, such as " +
        s"${failed.head._1}: ${failed.head._2}. The others are gone. Accepted: to vacuum again once " +
        "they can be removed.")

final class RetentionTooShort(retentionMillis: Long, leastMillis: Long)
    extends TableException("COLOCATE_TABLE_RETENTION_TOO_SHORT",
      s"The retention is $retentionMillis ms; accepted: $leastMillis ms or more, or from 0 if" +
        " nobody else reads or writes the table. Files that a running writer has not committed" +
        " yet would be removed.")
