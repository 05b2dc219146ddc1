package io.colocate.tables.feed

import scala.collection.mutable

import org.apache.spark.sql.types.StructType

import io.colocate.tables.commit.{RememberedSettings, TableLog}
import io.colocate.tables.format.{Action, ChangesSpanColumns, CommitInfo, FileAdded, FileRemoved, InvalidOption, Metadata}
import io.colocate.tables.operations.WriteOptions
import io.colocate.tables.scan.PinTable
import io.colocate.tables.snapshot.Snapshot

/**
 * A file of which all rows, or those that a predicate selects, came or went with a version.
 *
 * @param time in milliseconds
 * @param diff 1 if they came, -1 if they went
 */
final case class ChangedFile(
    version: Long,
    time: Long,
    diff: Int,
    path: String,
    rows: Long,
    bytes: Long,
    modified: Long)

/** What a version did to the rows of a table. */
sealed trait VersionChanges {
  def files: Seq[ChangedFile]
}

/** All rows of the files came, or all went. */
final case class Whole(files: Seq[ChangedFile]) extends VersionChanges

/** The rows that a predicate selects came and went; others moved from the one file to the other. */
final case class Selected(files: Seq[ChangedFile], predicate: String, settings: String)
    extends VersionChanges

/** Rows went from files and came in others, and the log does not tell which were in both. */
final case class Rewritten(files: Seq[ChangedFile]) extends VersionChanges

/**
 * The changes of a table after one version and up to another, as its log tells them. No data file is
 * read.
 *
 * {{{
 *   append         + the files that it added
 *   replaceWhere   - the selected rows of the files that it removed, + those of the files that it added
 *   overwrite      - the files that it removed, + those that it added
 *   truncate       - the files that it removed
 *   compaction     nothing: its files hold rows that were there before
 * }}}
 *
 * @param last     the last version; all files have its columns, or may lack some
 * @param versions the oldest first; versions without changes are left out
 */
final case class LogChanges(last: Snapshot, versions: Seq[VersionChanges])

object LogChanges {

  /** Before the first version. */
  val Never: Long = TableLog.NoVersion

  /**
   * @param since    a version, or [[Never]]
   * @param contents the rows of the version `since` come first, as if they had come with it
   * @throws ChangesSpanColumns if a version in between had other columns
   */
  def apply(log: TableLog, since: Long, until: Long, contents: Boolean): LogChanges = {
    // The files of a version that can be read are there, and so are those of all later ones.
    val first = log.snapshot(if (since == Never) 0 else since)
    val last = log.snapshot(until.max(0))
    if (since > until)
      throw new InvalidOption("since", since.toString,
        s"$until, the last version asked, or an earlier one")
    val start = Option.when(since != Never)(first)
    val walk = new Walk(log, last, start)
    val there = start.filter(_ => contents).map(walk.contents)
    LogChanges(last, there.toSeq ++ (since + 1 to until).flatMap(walk.version))
  }

  /** Follows a log from one version to another. */
  final private class Walk(log: TableLog, last: Snapshot, start: Option[Snapshot]) {

    private val known = mutable.HashMap.empty[String, FileAdded]
    private lazy val atStart =
      start.fold(Map.empty[String, Int])(_.files.paths.iterator.zipWithIndex.toMap)
    private var replicated = start.exists(_.metadata.replicated)
    start.foreach(snapshot => checkColumns(snapshot.version, snapshot.schema))

    def contents(snapshot: Snapshot): VersionChanges = {
      val (version, time) = (snapshot.version, snapshot.info.time)
      val kept = PinTable.whole(log.path, snapshot).kept
      Whole(kept.map(i => changed(version, time, 1)(snapshot.files(i))))
    }

    def version(number: Long): Option[VersionChanges] = {
      val actions = mutable.ArrayBuffer.empty[Action]
      log.actions(number)(actions += _)
      val gone = oneCopy(actions.collect { case FileRemoved(path, _, true) => file(path) })
      actions.collect { case metadata: Metadata =>
        checkColumns(number, metadata.schema)
        replicated = metadata.replicated
      }
      val added = actions.collect { case file: FileAdded => file }
      added.foreach(file => known(file.path) = file)
      val come = oneCopy(added.filter(_.dataChange))
      val info = actions.collectFirst { case info: CommitInfo => info }.get
      val files =
        gone.map(changed(number, info.time, -1)) ++ come.map(changed(number, info.time, 1))
      Option.when(files.nonEmpty) {
        if (gone.isEmpty || come.isEmpty) Whole(files)
        else
          (info.parameters.get(WriteOptions.ReplaceWhere),
            info.parameters.get(RememberedSettings.Key)) match {
            case (Some(predicate), Some(settings)) => Selected(files, predicate, settings)
            case _ => Rewritten(files)
          }
      }
    }

    private def changed(version: Long, time: Long, diff: Int)(file: FileAdded): ChangedFile =
      ChangedFile(version, time, diff, file.path, file.rows, file.bytes, file.modified)

    private def file(path: String): FileAdded =
      known.getOrElse(path, start.get.files(atStart(path)))

    /** If trees are copies of each other, the files of one of them. */
    private def oneCopy(files: collection.Seq[FileAdded]): Seq[FileAdded] =
      if (!replicated || files.isEmpty) files.toSeq
      else {
        val tree = files.iterator.map(_.treeId).min
        files.filter(_.treeId == tree).toSeq
      }

    private def checkColumns(version: Long, schema: StructType): Unit =
      schema.find(field => !last.metadata.types.get(field.name).contains(field.dataType)).foreach {
        field =>
          throw new ChangesSpanColumns(log.path.toString, version, field.name, last.version)
      }
  }
}
