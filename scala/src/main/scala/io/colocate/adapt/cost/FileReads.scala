package io.colocate.adapt.cost

import scala.collection.mutable

import io.colocate.adapt.window.Asked
import io.colocate.tables.pruning.{FileRows, KnownRows, PrunedFiles}
import io.colocate.tables.scan.SnapshotStats
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * What queries would read of a tree's files today: the same files that `explain()` names, as the same
 * code chooses them.
 */
final class FileReads(snapshot: Snapshot, tree: RobustTree) extends PresentReads {

  private val all = snapshot.files

  /** The files of each leaf. */
  private val own: Map[Int, IndexedSeq[Int]] = all.indices.filter(isOwn)
    .groupBy(all.leaf(_).get)

  private val rowsOf = own.map { case (leaf, some) => leaf -> some.iterator.map(all.rows).sum }
  private val bytesOf = own.map { case (leaf, some) => leaf -> some.iterator.map(all.bytes).sum }
  private val writtenAt = own.map { case (leaf, some) =>
    leaf -> some.iterator.map(all.modified).max
  }

  private lazy val stats = new SnapshotStats(snapshot, all.indices.toArray)
  private val found = mutable.HashMap.empty[Asked, Map[Int, Long]]

  private def isOwn(file: Int): Boolean = all.tree(file) == tree.id && all.leaf(file).nonEmpty

  /** The numbers of the files of some leaves, ascending. */
  def files(leaves: Seq[Int]): IndexedSeq[Int] =
    leaves.flatMap(own.getOrElse(_, IndexedSeq.empty)).sorted.toIndexedSeq

  /** How the rows of some leaves lie, for when they do not lie so any more. */
  def layout(leaves: Seq[Int]): Layout = {
    val rows = new FileRows(stats)
    Layout(files(leaves).map { file =>
      val known: KnownRows = column => {
        rows.file = file
        rows.bounds(column)
      }
      Part(all.rows(file), known)
    })
  }

  override def rows(leaf: Int): Long = rowsOf.getOrElse(leaf, 0L)

  def bytes(leaf: Int): Long = bytesOf.getOrElse(leaf, 0L)

  override def written(leaf: Int): Long = writtenAt.getOrElse(leaf, 0L)

  override def read(query: Asked, leaf: Int): Long =
    found.getOrElseUpdate(query, leaves(query)).getOrElse(leaf, 0L)

  private def leaves(query: Asked): Map[Int, Long] =
    PrunedFiles(stats, snapshot.tree, query.conjuncts).kept.filter(isOwn)
      .groupMapReduce(all.leaf(_).get)(all.rows)(_ + _)
}
