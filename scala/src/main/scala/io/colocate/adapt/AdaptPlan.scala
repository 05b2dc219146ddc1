package io.colocate.adapt

import io.colocate.adapt.cost.FileReads
import io.colocate.adapt.window.Window
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, RobustTree}

/** What is to be done to a version of a table; nothing if there is no `change`. */
final case class AdaptPlan(base: Snapshot, change: Option[TreeChange], report: AdaptReport)

/**
 * A tree in place of another one.
 *
 * @param before the tree as it is
 * @param after  leaves that both have keep their files
 * @param reads  what the window's queries read of the tree as it is
 * @param saved  the rows that these queries would read less
 */
final case class TreeChange(
    before: RobustTree,
    after: RobustTree,
    window: Window,
    reads: FileReads,
    saved: Double) {

  private lazy val gone: Seq[Leaf] = {
    val kept = after.leafIds.toSet
    before.leaves.filterNot(leaf => kept(leaf.id))
  }

  def isNone: Boolean = before == after

  /** Numbers of the files whose leaves are gone: their rows are written anew. */
  lazy val files: IndexedSeq[Int] = reads.files(gone.map(_.id))

  lazy val rewritten: Long = gone.iterator.map(reads.rows).sum
}
