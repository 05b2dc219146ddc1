package io.colocate.tables.commit

import io.colocate.tables.format.{Action, FileAdded, FileRemoved, Metadata, Protocol, StreamBatch, TreeAdded, TreeRemoved, Vacuumed}
import io.colocate.tables.format.Isolation.Overwrite

/**
 * Finds conflicts with another commit that was written after the version that ours has read.
 *
 * {{{
 *   ours \ theirs   append           layout                  overwrite
 *   append          -                -                       -
 *   layout          -                common file or tree     common file
 *   overwrite       a row it reads   common file             common file or a row it reads
 * }}}
 *
 * A new schema or other options, and a batch of the same streaming query, always conflict. An append and
 * a layout never do: a file whose leaf is gone is read by its own statistics. There are two exceptions.
 * If trees hold copies of each other's rows, a new tree would lack rows that are appended meanwhile. And
 * a file must not end up under a new tree that happens to have the id of the file's own tree.
 */
final private[tables] class Conflicts(mine: Commit) {

  /** Why an action of theirs conflicts with our commit, None if it does not. */
  def apply(theirs: Action): Option[String] = theirs match {
    case _: Metadata | _: Protocol =>
      Some(if (mine.base.isEmpty) "it made the table" else "it changed the schema or the options")
    case FileRemoved(path, _, _) if mine.removedPaths(path) =>
      Some(s"it removed the file $path, which this commit replaces")
    case file: FileAdded => against(file)
    case TreeAdded(tree) => against(tree.id, changesWhich = mine.isNew(tree.id))
    case TreeRemoved(id) => against(id, changesWhich = true)
    case StreamBatch(query, batch) if mine.queries(query) =>
      Some(s"it wrote batch $batch of the same streaming query $query")
    case vacuumed: Vacuumed =>
      CommitRules.mayBeGone(mine, vacuumed).map("it was a vacuum, and " + _)
    case _ => None
  }

  private def against(file: FileAdded): Option[String] = mine.isolation match {
    case _ if mine.removedPaths(file.path) =>
      Some(s"it changed the file ${file.path}, which this commit replaces")
    case Overwrite(reads) if file.dataChange && reads(file) =>
      Some(s"it added the file ${file.path}, whose rows this commit has not read")
    case _ if mine.treesAdded.exists(t => t.tree.id == file.treeId && mine.isNew(t.tree.id)) =>
      Some(s"it added the file ${file.path} for another tree ${file.treeId} than this commit makes")
    case _ if file.dataChange && mine.replicated && mine.changesWhichTrees =>
      Some(s"it added the file ${file.path}, which the trees of this commit do not copy")
    case _ => None
  }

  private def against(tree: Int, changesWhich: Boolean): Option[String] =
    if (mine.treeIds(tree)) Some(s"it changed tree $tree, which this commit changes too")
    else if (changesWhich && mine.replicated && mine.added.exists(_.dataChange))
      Some(s"it made or removed tree $tree, of which this commit knows nothing")
    else None
}
