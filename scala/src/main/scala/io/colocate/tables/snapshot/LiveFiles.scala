package io.colocate.tables.snapshot

import java.util.BitSet

import org.apache.spark.sql.types.DataType

import io.colocate.tables.format.FileAdded

/**
 * The files of one version, stored column by column: a hundred thousand files of dozens of columns take
 * less than 200 MB; as objects they would take a gigabyte. An element is created when it is requested.
 */
final class LiveFiles private[tables] (
    private[tables] val paths: Array[String],
    private[tables] val trees: Longs,
    private[tables] val leaves: Longs,
    private[tables] val rowCounts: Longs,
    private[tables] val byteCounts: Longs,
    private[tables] val times: Longs,
    private[tables] val changes: BitSet,
    private[tables] val columns: Map[String, StatsColumn])
    extends IndexedSeq[FileAdded] {

  import LiveFiles.NoLeaf

  override def length: Int = paths.length

  override def apply(i: Int): FileAdded = {
    val stats = columns.flatMap { case (name, column) => column(i).map(name -> _) }
    FileAdded(path(i), tree(i), leaf(i), rows(i), bytes(i), modified(i), stats, changes.get(i))
  }

  def path(i: Int): String = paths(i)

  def tree(i: Int): Int = trees(i).toInt

  /** None if no leaf of this version's trees describes the rows. */
  def leaf(i: Int): Option[Int] = Some(leaves(i).toInt).filter(_ != NoLeaf)

  def rows(i: Int): Long = rowCounts(i)

  def bytes(i: Int): Long = byteCounts(i)

  def modified(i: Int): Long = times(i)

  /** None if no file has statistics for the column. */
  def stats(column: String): Option[StatsColumn] = columns.get(column)

  override def toString: String = s"$length files"

  lazy val totalRows: Long = indices.iterator.map(rows).sum

  lazy val totalBytes: Long = indices.iterator.map(bytes).sum

  private[tables] lazy val pathSet: Set[String] = paths.toSet

  /** Only these files, with the columns and leaves that a version has. */
  private[tables] def gather(
      files: Array[Int],
      types: String => Option[DataType],
      leavesOf: Map[Int, Set[Int]]): LiveFiles = {
    val routed = leaves.gather(files)
    for (i <- files.indices) {
      val inTree = leavesOf.get(tree(files(i))).exists(_.contains(leaves(files(i)).toInt))
      if (!inTree) routed(i) = NoLeaf.toLong
    }
    new LiveFiles(files.map(path), trees.gather(files), routed, rowCounts.gather(files),
      byteCounts.gather(files), times.gather(files), Bits.gather(changes, files),
      columns.collect {
        case (name, column) if types(name).contains(column.dataType) =>
          name -> column.gather(files)
      })
  }
}

object LiveFiles {
  private[tables] val NoLeaf: Int = -1

  val empty: LiveFiles = new LiveFiles(Array.empty, new Longs, new Longs, new Longs, new Longs,
    new Longs, new BitSet, Map.empty)
}
