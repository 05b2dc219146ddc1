package io.colocate.adapt.keys

import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * A step of a table on its way to another join key: whole files of the older tree, the leaves from left to
 * right, whose rows the new tree routes.
 *
 * {{{
 *   tree 0 by a: leaves 0 to 3           tree 0: leaves 2, 3           tree 1 by b
 *                                  =>    tree 1 by b             =>
 * }}}
 *
 * The first step adds the new tree, by which rows are routed that are added from then on. The last one
 * removes the older tree. In between a query reads files of both, each skipped by the cuts of its own.
 *
 * @param to     the tree by the new key
 * @param files  numbers of the files whose rows move
 * @param begins true for the first step
 * @param ends   true for the last one
 */
final case class KeyMove(to: RobustTree, files: IndexedSeq[Int], begins: Boolean, ends: Boolean)

object KeyMove {

  /** Whether a table is on its way: its rows are divided among trees. */
  def isOn(base: Snapshot): Boolean = !base.metadata.replicated && base.trees.length > 1

  /**
   * The next step.
   *
   * @param to   a new tree, or the newest one of the table if it is on its way
   * @param most the most rows; a whole leaf moves even if it has more
   */
  def apply(base: Snapshot, to: RobustTree, most: Long): KeyMove = {
    val left = behind(base, to)
    val sums = left.map(_.iterator.map(base.files.rows).sum).scanLeft(0L)(_ + _).tail
    val now = left.take(sums.count(_ <= most).max(1))
    KeyMove(to, now.flatten.sorted.toIndexedSeq, begins = base.tree(to.id).isEmpty,
      ends = now.length == left.length)
  }

  /** The files that the tree does not route yet: those of each leaf, then each that has none. */
  private def behind(base: Snapshot, to: RobustTree): Seq[IndexedSeq[Int]] = {
    val files = base.files
    val all = files.indices.filter(file => files.tree(file) != to.id || files.leaf(file).isEmpty)
    val leaves =
      for (tree <- base.trees; leaf <- tree.leafIds)
        yield all.filter(file => files.tree(file) == tree.id && files.leaf(file).contains(leaf))
    leaves.filter(_.nonEmpty) ++ all.filter(files.leaf(_).isEmpty).map(IndexedSeq(_))
  }
}
