package io.colocate.tables.snapshot

import org.apache.spark.sql.types.StructType

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, Metadata, Protocol, StreamBatch, TreeAdded, Vacuumed}
import io.colocate.tables.tree.RobustTree

/**
 * A table as it is in one version. Never changes, so that a query which holds one is not touched by
 * what is committed meanwhile.
 *
 * @param info     who wrote the version
 * @param trees    by id
 * @param batches  the newest batch of each streaming query
 * @param vacuumed what may be gone
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

  /** A number that no tree has, and none that is gone while files go by it. */
  private[tables] def freeTreeId: Int =
    (trees.map(_.id) ++ files.indices.map(files.tree)).maxOption.fold(0)(_ + 1)

  /**
   * The same version with no file but this one, which a later version may have. No tree comes along:
   * one file is known by its own statistics, without a look at all leaves.
   */
  private[tables] def having(file: FileAdded): Snapshot = {
    val types = metadata.types.get _
    val only = new FilesBuilder(LiveFiles.empty)
    only.add(file, types)
    new Snapshot(version, info, protocol, metadata, IndexedSeq.empty, only.result(types, Map.empty),
      batches, vacuumed)
  }

  /** What makes this version, without what was before. */
  private[tables] def actions: Iterator[Action] =
    Iterator[Action](protocol, info, metadata) ++ trees.iterator.map(TreeAdded(_)) ++
      batches.toSeq.sorted.iterator.map { case (query, batch) => StreamBatch(query, batch) } ++
      vacuumed.iterator ++ files.iterator
}
