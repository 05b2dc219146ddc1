package io.colocate.tables.snapshot

import java.util.BitSet

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.colocate.tables.format.FileAdded
import io.colocate.tables.format.ActionJson.Types

/** Builds the live files of a version from those of an earlier one and the actions since. */
final private[tables] class FilesBuilder(base: LiveFiles) {

  private val all = base.indices.toArray
  private val paths = ArrayBuffer.from(base.paths)
  private val trees = base.trees.gather(all)
  private val leaves = base.leaves.gather(all)
  private val rows = base.rowCounts.gather(all)
  private val bytes = base.byteCounts.gather(all)
  private val times = base.times.gather(all)
  private val changes = base.changes.clone().asInstanceOf[BitSet]
  private val columns = mutable.Map.from(base.columns.map { case (name, column) =>
    name -> column.gather(all)
  })

  /** The position of each live file. */
  private val at = mutable.HashMap.from(paths.iterator.zipWithIndex)

  def add(file: FileAdded, types: Types): Unit = {
    val i = paths.length
    paths += file.path
    at(file.path) = i
    trees(i) = file.treeId.toLong
    leaves(i) = file.leaf.getOrElse(LiveFiles.NoLeaf).toLong
    rows(i) = file.rows
    bytes(i) = file.bytes
    times(i) = file.modified
    changes.set(i, file.dataChange)
    for ((name, stats) <- file.stats; dataType <- types(name)) {
      val column = columns.get(name).filter(_.dataType == dataType).getOrElse {
        val fresh = new StatsColumn(dataType)
        columns(name) = fresh
        fresh
      }
      column(i) = stats
    }
  }

  def remove(path: String): Unit = at.remove(path)

  /** @param leaves the leaves of the live trees, by tree */
  def result(types: Types, leaves: Map[Int, Set[Int]]): LiveFiles = {
    val live = at.valuesIterator.toArray.sorted
    new LiveFiles(paths.toArray, trees, this.leaves, rows, bytes, times, changes, columns.toMap)
      .gather(live, types, leaves)
  }
}
