package io.colocate.adapt.cost

import io.colocate.adapt.window.Asked
import io.colocate.tables.pruning.PrunedFiles
import io.colocate.tables.scan.SnapshotStats
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Node, RobustTree}

/**
 * What queries would read of a tree's files today: the same files that `explain()` names, as the same
 * code chooses them.
 *
 * @param queries by their numbers
 */
final class PresentReads(snapshot: Snapshot, tree: RobustTree, queries: IndexedSeq[Asked]) {

  private val all = snapshot.files

  /** The files of each leaf. */
  private val own: Map[Int, IndexedSeq[Int]] = all.indices.filter(isOwn)
    .groupBy(all.leaf(_).get)

  private val rowsOf = own.map { case (leaf, some) => leaf -> some.iterator.map(all.rows).sum }

  /** For each query the rows that it reads, by leaf. */
  private val leaves: IndexedSeq[Map[Int, Long]] = {
    val stats = new SnapshotStats(snapshot, all.indices.toArray)
    queries.map { query =>
      PrunedFiles(stats, snapshot.tree, query.conjuncts).kept.filter(isOwn)
        .groupMapReduce(all.leaf(_).get)(all.rows)(_ + _)
    }
  }

  private def isOwn(file: Int): Boolean = all.tree(file) == tree.id && all.leaf(file).nonEmpty

  /** The numbers of the files of some leaves, ascending. */
  def files(leaves: Seq[Int]): IndexedSeq[Int] =
    leaves.flatMap(own.getOrElse(_, IndexedSeq.empty)).sorted.toIndexedSeq

  def rows(node: Node): Long = node.leaves.iterator.map(leaf => rowsOf.getOrElse(leaf.id, 0L)).sum

  def bytes(node: Node): Long = files(node.leaves.map(_.id)).iterator.map(all.bytes).sum

  /** When the newest file of these rows was written, in milliseconds. */
  def written(node: Node): Long =
    files(node.leaves.map(_.id)).iterator.map(all.modified).maxOption.getOrElse(0L)

  /** The rows below a node that a query reads. */
  def read(query: Int, node: Node): Long =
    node.leaves.iterator.map(leaf => leaves(query).getOrElse(leaf.id, 0L)).sum
}
