package io.colocate.tables.snapshot

import org.apache.spark.sql.types.StructType

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, Metadata, Protocol, StreamBatch, TreeAdded, Vacuumed}
import io.colocate.tables.tree.RobustTree

/**
 * A table in one version. It never changes, so later commits do not affect a query that holds it.
 *
 * @param info     who wrote the version
 * @param trees    by id
 * @param batches  the newest batch of each streaming query
 * @param vacuumed which versions and files may be gone
 */
final class Snapshot private[tables] (
    val version: Long,
    val info: CommitInfo,
    val protocol: Protocol,
    val metadata: Metadata,
    val trees: IndexedSeq[RobustTree],
    val files: LiveFiles,
    val batches: Map[String, Long],
    val vacuumed: Option[Vacuumed]) {

  def schema: StructType = metadata.schema

  def tree(id: Int): Option[RobustTree] = trees.find(_.id == id)

  /** An id that no tree has, nor a removed tree that files still refer to. */
  private[tables] def freeTreeId: Int =
    (trees.map(_.id) ++ files.indices.map(files.tree)).maxOption.fold(0)(_ + 1)

  /**
   * The same version with no file but this one, which may be from a later version. It has no trees: the
   * file's own statistics are enough, and looking at all leaves is saved.
   */
  private[tables] def having(file: FileAdded): Snapshot = {
    val types = metadata.types.get _
    val only = new FilesBuilder(LiveFiles.empty)
    only.add(file, types)
    new Snapshot(version, info, protocol, metadata, IndexedSeq.empty, only.result(types, Map.empty),
      batches, vacuumed)
  }

  /** The actions that make this version without any earlier one. */
  private[tables] def actions: Iterator[Action] =
    Iterator[Action](protocol, info, metadata) ++ trees.iterator.map(TreeAdded(_)) ++
      batches.toSeq.sorted.iterator.map { case (query, batch) => StreamBatch(query, batch) } ++
      vacuumed.iterator ++ files.iterator
}
