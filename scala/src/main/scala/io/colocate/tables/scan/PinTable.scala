package io.colocate.tables.scan

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}

import io.colocate.report.Reason
import io.colocate.tables.pruning.{Conjunct, PrunedFiles}
import io.colocate.tables.queries.AskedJoin
import io.colocate.tables.snapshot.Snapshot

/**
 * Chooses the files of a version that a scan reads, by its filters.
 *
 * If the trees of the table hold copies of each other's rows, it chooses the copy with the fewest bytes
 * to read.
 */
object PinTable {

  /**
   * All files of a version, or those of one copy.
   *
   * @param failure the error of ours that prevented pruning
   */
  def whole(table: Path, snapshot: Snapshot, failure: Option[Reason] = None): PinnedFileIndex = {
    val (replica, numbers) = copies(snapshot).head
    val rows = numbers.iterator.map(snapshot.files.rows).sum
    val report = PrunedScan(table.toString, snapshot.version, numbers.length, numbers.length, rows,
      rows, replica, Nil, failure = failure)
    PinnedFileIndex(table, snapshot, numbers.toIndexedSeq, Some(report))
  }

  /**
   * @param filters joined by AND, the first being evaluated first
   * @param output  the attributes of the scan, by which the filters refer to columns
   * @param columns that the query reads, by name
   * @param joins   of the scan with other tables
   */
  def apply(
      table: Path,
      snapshot: Snapshot,
      filters: Seq[Expression],
      output: Seq[AttributeReference],
      columns: Set[String] = Set.empty,
      joins: Seq[AskedJoin] = Nil): PinnedFileIndex = {
    val ordinals = snapshot.schema.fieldNames.zipWithIndex.toMap
    val byId = output.flatMap(a => ordinals.get(a.name).map(a.exprId -> _)).toMap
    val conjuncts = Conjunct.of(filters, a => byId.get(a.exprId))
    copies(snapshot).map { case (replica, numbers) =>
      val stats = new SnapshotStats(snapshot, numbers)
      val found = PrunedFiles(stats, snapshot.tree, conjuncts)
      val report = PrunedScan(table.toString, snapshot.version, found.kept.length, found.files,
        found.keptRows, found.rows, replica, found.conjuncts, columns, joins)
      PinnedFileIndex(table, snapshot, found.kept.map(numbers(_)), Some(report))
    }.minBy(_.sizeInBytes)
  }

  /** The sets of files that hold all rows once; with the tree, if there are several such sets. */
  private def copies(snapshot: Snapshot): Seq[(Option[Int], Array[Int])] = {
    val files = snapshot.files
    if (!snapshot.metadata.replicated || snapshot.trees.length < 2)
      Seq(None -> files.indices.toArray)
    else
      snapshot.trees.map(tree =>
        Some(tree.id) -> files.indices.filter(files.tree(_) == tree.id).toArray)
  }
}
