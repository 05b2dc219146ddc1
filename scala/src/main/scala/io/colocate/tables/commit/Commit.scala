package io.colocate.tables.commit

import java.util.UUID

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, FileRemoved, Isolation, Maintained, Metadata, Protocol, StreamBatch, TreeAdded, TreeRemoved, Vacuumed}
import io.colocate.tables.format.ActionJson.Types
import io.colocate.tables.snapshot.Snapshot

/**
 * A version that is about to be committed.
 *
 * @param base the version that was read; None if the commit creates the table
 */
final private[tables] class Commit(
    val base: Option[Snapshot],
    given_ : Seq[Action],
    val isolation: Isolation) {

  val id: String = UUID.randomUUID.toString

  val readVersion: Long = base.fold(Commit.NoVersion)(_.version)

  /** In the order in which they are written: a file that is removed and added again exists afterwards. */
  val actions: Seq[Action] = {
    val protocol = if (base.isEmpty && !given_.exists(isProtocol)) Seq(Protocol.Current) else Nil
    (protocol ++ given_).sortBy(place)
  }

  val added: Seq[FileAdded] = actions.collect { case file: FileAdded => file }
  val removed: Seq[FileRemoved] = actions.collect { case file: FileRemoved => file }
  val metadata: Option[Metadata] = actions.collectFirst { case metadata: Metadata => metadata }
  val infos: Seq[CommitInfo] = actions.collect { case info: CommitInfo => info }
  val batches: Seq[StreamBatch] = actions.collect { case batch: StreamBatch => batch }
  val view: Option[Maintained] = actions.collectFirst { case view: Maintained => view }
  val queries: Set[String] = batches.map(_.queryId).toSet
  val removedPaths: Set[String] = removed.iterator.map(_.path).toSet
  val treesAdded: Seq[TreeAdded] = actions.collect { case tree: TreeAdded => tree }
  val treesRemoved: Set[Int] = actions.collect { case TreeRemoved(id) => id }.toSet
  val treeIds: Set[Int] = treesAdded.map(_.tree.id).toSet ++ treesRemoved

  /** The files of the table before this commit. */
  def livePaths: Set[String] = base.fold(Set.empty[String])(_.files.pathSet)

  /** The metadata of the table after this commit. */
  val after: Option[Metadata] = metadata.orElse(base.map(_.metadata))

  /** True if trees hold copies of each other's rows, before or after this commit. */
  val replicated: Boolean = (base.map(_.metadata) ++ metadata).exists(_.replicated)

  val types: Types = name => after.flatMap(_.types.get(name))

  /** True if it adds a new tree, or removes one. */
  val changesWhichTrees: Boolean =
    treesRemoved.nonEmpty || treesAdded.exists(added => isNew(added.tree.id))

  def isNew(tree: Int): Boolean = !base.exists(_.tree(tree).isDefined)

  /** The actions ready to be written, with the time and the id of this commit. */
  def stamped(time: Long): Iterator[Action] = actions.iterator.map {
    case info: CommitInfo => info.copy(time = time, id = id)
    case other => other
  }

  private def isProtocol(action: Action) = action.isInstanceOf[Protocol]

  private def place(action: Action): Int = action match {
    case _: Protocol => 0
    case _: CommitInfo => 1
    case _: Metadata => 2
    case _: TreeRemoved => 3
    case _: TreeAdded => 4
    case _: StreamBatch => 5
    case _: Maintained => 6
    case _: Vacuumed => 7
    case _: FileRemoved => 8
    case _: FileAdded => 9
  }
}

private[tables] object Commit {

  /** Stands for the version before the first. */
  val NoVersion: Long = -1L
}
