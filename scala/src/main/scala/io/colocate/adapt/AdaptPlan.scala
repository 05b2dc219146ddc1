package io.colocate.adapt

import io.colocate.adapt.cost.{FileReads, ReadTime}
import io.colocate.adapt.keys.KeyMove
import io.colocate.adapt.window.Window
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, RobustTree}

/**
 * What is to be done to a version of a table; nothing if there is neither a `change` nor a `move`.
 *
 * @param sampling what reading the sample took that it was planned by
 * @param account  of what it costs and saves
 * @param move     a step to another join key
 */
final private case class AdaptPlan(
    base: Snapshot,
    change: Option[TreeChange],
    report: AdaptReport,
    sampling: Option[ReadTime] = None,
    account: Option[Account] = None,
    move: Option[KeyMove] = None) {

  def isNone: Boolean = change.isEmpty && move.isEmpty
}

/**
 * A tree in place of another one.
 *
 * @param before   the tree as it is
 * @param after    leaves that both have keep their files
 * @param reads    what the window's queries read of the tree as it is
 * @param saved    what these queries would read less; a row of which one reads some columns counts less
 * @param fewer    the rows that they would read less, whatever their columns
 * @param gathered numbers of files without a leaf, which the new tree routes too
 */
final case class TreeChange(
    before: RobustTree,
    after: RobustTree,
    window: Window,
    reads: FileReads,
    saved: Double,
    fewer: Double,
    gathered: IndexedSeq[Int] = IndexedSeq.empty) {

  private lazy val gone: Seq[Leaf] = {
    val kept = after.leafIds.toSet
    before.leaves.filterNot(leaf => kept(leaf.id))
  }

  def isNone: Boolean = before == after

  /** Numbers of the files whose rows are written anew: those whose leaves are gone, and those gathered. */
  lazy val files: IndexedSeq[Int] = (reads.files(gone.map(_.id)) ++ gathered).sorted

  /** The rows below nodes that are built anew, by which it is decided. */
  lazy val rewritten: Long = gone.iterator.map(reads.rows).sum
}
