package io.colocate.tables.commit

import scala.collection.mutable

import io.colocate.tables.format.{Action, CommitInfo, FileAdded, FileRemoved, Maintained, Metadata, Protocol, StreamBatch, TreeAdded, TreeRemoved, Vacuumed}
import io.colocate.tables.format.Isolation.Overwrite

/**
 * @param rowsStay true if the other commit only put rows into other files or under another tree
 */
final private[tables] case class Conflict(what: String, rowsStay: Boolean)

/**
 * Finds conflicts with another commit that was written after the version that ours has read.
 *
 * {{{
 *   ours \ theirs   append           layout                  overwrite
 *   append          -                -                       -
 *   layout          -                common file or tree     common file
 *   overwrite       a row it reads   common file (rows stay) common file or a row it reads
 * }}}
 *
 * It is told the actions of all entries since, in their order. Where rows have been moved, it follows them
 * to the files that they are in now: whoever removes one of these is in conflict as well.
 *
 * A new schema or other options, and a batch of the same streaming query, always conflict. An append and
 * a layout never do: a file whose leaf is gone is read by its own statistics. There are two exceptions.
 * If trees hold copies of each other's rows, a new tree would lack rows that are appended meanwhile. And
 * a file must not end up under a new tree that happens to have the id of the file's own tree.
 */
final private[tables] class Conflicts(mine: Commit) {

  /** The files with rows that our commit replaces, and where other commits have moved these rows to. */
  private val replaced = mutable.Set.from(mine.removedPaths)

  /** True if the entry that is being told has moved some of them. It removes files before it adds others. */
  private var moves = false

  /** Why an action of theirs conflicts with our commit, None if it does not. */
  def apply(theirs: Action): Option[Conflict] = theirs match {
    case FileRemoved(path, _, dataChange) if replaced(path) =>
      moves ||= !dataChange
      Some(Conflict(s"it removed the file $path, which this commit replaces",
        rowsStay = !dataChange))
    // Whether rows have changed with a tree is told by the files of its entry.
    case TreeAdded(tree) if mine.treeIds(tree.id) =>
      Some(Conflict(changed(tree.id), rowsStay = true))
    case TreeRemoved(id) if mine.treeIds(id) =>
      Some(Conflict(changed(id), rowsStay = true))
    case file: FileAdded if !file.dataChange && isOfNew(file) =>
      follow(file)
      Some(Conflict(ofNew(file), rowsStay = true))
    case other =>
      follow(other)
      changing(other).map(Conflict(_, rowsStay = false))
  }

  private def follow(theirs: Action): Unit = (theirs, mine.isolation) match {
    case (_: CommitInfo, _) => moves = false
    case (file: FileAdded, Overwrite(reads)) if moves && !file.dataChange && reads(file) =>
      replaced += file.path
    case _ => ()
  }

  private def changing(theirs: Action): Option[String] = theirs match {
    case _: Metadata | _: Protocol =>
      Some(if (mine.base.isEmpty) "it made the table" else "it changed the schema or the options")
    case file: FileAdded => against(file)
    case TreeAdded(tree) => against(tree.id, changesWhich = mine.isNew(tree.id))
    case TreeRemoved(id) => against(id, changesWhich = true)
    case StreamBatch(query, batch) if mine.queries(query) =>
      Some(s"it wrote batch $batch of the same streaming query $query")
    case _: Maintained if mine.view.nonEmpty => Some("it refreshed the same view")
    case vacuumed: Vacuumed =>
      CommitRules.mayBeGone(mine, vacuumed).map("it was a vacuum, and " + _)
    case _ => None
  }

  private def against(file: FileAdded): Option[String] = mine.isolation match {
    case _ if file.dataChange && mine.removedPaths(file.path) =>
      Some(s"it changed the file ${file.path}, which this commit replaces")
    case Overwrite(reads) if file.dataChange && reads(file) =>
      Some(s"it added the file ${file.path}, whose rows this commit has not read")
    case _ if isOfNew(file) => Some(ofNew(file))
    case _ if file.dataChange && mine.replicated && mine.changesWhichTrees =>
      Some(s"it added the file ${file.path}, which the trees of this commit do not copy")
    case _ => None
  }

  private def isOfNew(file: FileAdded): Boolean =
    mine.treesAdded.exists(added => added.tree.id == file.treeId && mine.isNew(added.tree.id))

  private def ofNew(file: FileAdded) =
    s"it added the file ${file.path} for another tree ${file.treeId} than this commit makes"

  private def against(tree: Int, changesWhich: Boolean): Option[String] =
    if (changesWhich && mine.replicated && mine.added.exists(_.dataChange))
      Some(s"it made or removed tree $tree, of which this commit knows nothing")
    else None

  private def changed(tree: Int) = s"it changed tree $tree, which this commit changes too"
}
