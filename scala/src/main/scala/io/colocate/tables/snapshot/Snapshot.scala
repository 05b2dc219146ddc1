package io.colocate.tables.snapshot

import org.apache.spark.sql.types.StructType

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, Maintained, Metadata, Protocol, StreamBatch, TreeAdded, TreeRemoved, Vacuumed}
import io.colocate.tables.tree.RobustTree

/**
 * A table in one version. It never changes, so later commits do not affect a query that holds it.
 *
 * @param info        who wrote the version
 * @param trees       by id
 * @param batches     the newest batch of each streaming query
 * @param view        what it is if it is a maintained view
 * @param vacuumed    which versions and files may be gone
 * @param highestTree the highest id that any tree of the table has had, as far as it is known
 */
final class Snapshot private[tables] (
    val version: Long,
    val info: CommitInfo,
    val protocol: Protocol,
    val metadata: Metadata,
    val trees: IndexedSeq[RobustTree],
    val files: LiveFiles,
    val batches: Map[String, Long],
    val view: Option[Maintained],
    val vacuumed: Option[Vacuumed],
    private[tables] val highestTree: Option[Int]) {

  def schema: StructType = metadata.schema

  def tree(id: Int): Option[RobustTree] = trees.find(_.id == id)

  /**
   * The files without a leaf whose rows a tree would route: its own, and for the newest tree also those
   * whose tree is gone, unless trees are copies of each other.
   */
  private[colocate] def astray(tree: RobustTree): IndexedSeq[Int] = files.indices.filter { file =>
    val of = files.tree(file)
    val ownerless =
      !metadata.replicated && this.tree(of).isEmpty && tree.id == trees.map(_.id).max
    files.leaf(file).isEmpty && (of == tree.id || ownerless)
  }

  /**
   * An id that no tree has had. If the id of a removed tree came back, the files of a writer who has read
   * that tree would be taken for files of the new one, and its cuts would skip their rows.
   */
  private[colocate] def freeTreeId: Int =
    (files.indices.map(files.tree) ++ highestTree).maxOption.fold(0)(_ + 1)

  /**
   * The same version with no file but this one, which may be from a later version. It has no trees: the
   * file's own statistics are enough, and looking at all leaves is saved.
   */
  private[tables] def having(file: FileAdded): Snapshot = {
    val types = metadata.types.get _
    val only = new FilesBuilder(LiveFiles.empty)
    only.add(file, types)
    new Snapshot(version, info, protocol, metadata, IndexedSeq.empty, only.result(types, Map.empty),
      batches, view, vacuumed, highestTree)
  }

  /**
   * The actions that make this version without any earlier one. A tree that is gone is removed once more,
   * which tells that there was one of its id, and means nothing to older releases.
   */
  private[tables] def actions: Iterator[Action] =
    Iterator[Action](protocol, info, metadata) ++
      highestTree.filter(tree(_).isEmpty).iterator.map(TreeRemoved(_)) ++
      trees.iterator.map(TreeAdded(_)) ++
      batches.toSeq.sorted.iterator.map { case (query, batch) => StreamBatch(query, batch) } ++
      view.iterator ++ vacuumed.iterator ++ files.iterator
}
