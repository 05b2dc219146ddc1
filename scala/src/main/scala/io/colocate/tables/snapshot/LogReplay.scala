package io.colocate.tables.snapshot

import scala.collection.mutable

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, FileRemoved, LogDamaged, Maintained, Metadata, Protocol, StreamBatch, TreeAdded, TreeRemoved, Vacuumed}
import io.colocate.tables.format.ActionJson.Types
import io.colocate.tables.tree.RobustTree

/** Applies the actions of a log, one after another. */
final private[tables] class LogReplay(from: Option[Snapshot]) {

  private var info = from.map(_.info)
  private var protocol = from.map(_.protocol)
  private var metadata = from.map(_.metadata)
  private var view = from.flatMap(_.view)
  private var vacuumed = from.flatMap(_.vacuumed)
  private val trees = mutable.SortedMap.empty[Int, RobustTree]
  private val batches = mutable.Map.from(from.map(_.batches).getOrElse(Map.empty))
  private val files = new FilesBuilder(from.fold(LiveFiles.empty)(_.files))
  private var highestTree = from.flatMap(_.highestTree)
  from.foreach(_.trees.foreach(tree => trees(tree.id) = tree))

  /** The types of the columns as they are now. */
  def types: Types = name => metadata.flatMap(_.types.get(name))

  def apply(action: Action): Unit = action match {
    case newer: Protocol => protocol = Some(newer)
    case newer: CommitInfo => info = Some(newer)
    case newer: Metadata => metadata = Some(newer)
    case TreeAdded(tree) =>
      trees(tree.id) = tree
      note(tree.id)
    case TreeRemoved(id) =>
      trees -= id
      note(id)
    case file: FileAdded => files.add(file, types)
    case FileRemoved(path, _, _) => files.remove(path)
    case StreamBatch(query, batch) => batches(query) = batch.max(batches.getOrElse(query, batch))
    case newer: Maintained => view = Some(newer)
    case newer: Vacuumed => vacuumed = Some(vacuumed.fold(newer)(later(_, newer)))
  }

  /** @param file the last file that was read, for errors */
  def result(version: Long, file: String): Snapshot = {
    def have[T](part: Option[T], what: String): T =
      part.getOrElse(throw new LogDamaged(file, version, s"the log up to it has no $what"))
    val leaves = trees.view.mapValues(_.leafIds.toSet).toMap
    new Snapshot(version, have(info, "commit"), have(protocol, "protocol"),
      have(metadata, "metadata"), trees.values.toIndexedSeq, files.result(types, leaves),
      batches.toMap, view, vacuumed, highestTree)
  }

  private def note(tree: Int): Unit = highestTree = Some(highestTree.fold(tree)(_.max(tree)))

  private def later(a: Vacuumed, b: Vacuumed): Vacuumed =
    Vacuumed(a.oldestVersion.max(b.oldestVersion), a.cutoff.max(b.cutoff))
}
