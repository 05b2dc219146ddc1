package io.colocate.tables.scan

import java.util.Locale

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.execution.FileSourceScanLike
import org.apache.spark.sql.execution.datasources.PartitionDirectory
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, IntegerType, StructType}

import io.colocate.facts.estimated.{CountedFiles, NumberRange}
import io.colocate.facts.proved.{NamedVersion, TableVersion, VersionedFiles}
import io.colocate.report.{Finding, HasFindings}
import io.colocate.tables.pruning.{Bounds, FileRows}
import io.colocate.tables.queries.{AdaptMode, AdaptNotes, AskedQueries}
import io.colocate.tables.snapshot.{Snapshot, StatsColumn}

/**
 * Some files of one version of a table. Later commits do not affect it.
 *
 * @param kept   numbers of the files in the version
 * @param pruned how files were pruned; None if pruning was not attempted
 * @param eachAPartition true if a hidden column numbers the files, so that Spark may skip some at run time
 */
final class PinnedFileIndex private (
    table: Path,
    val snapshot: Snapshot,
    val kept: IndexedSeq[Int],
    val pruned: Option[PrunedScan],
    eachAPartition: Boolean)
    extends ListedFiles(table,
      kept.map { i =>
        val files = snapshot.files
        ListedFiles.status(table, files.path(i), files.bytes(i), files.modified(i))
      })
    with CountedFiles
    with VersionedFiles
    with HasFindings
    with Logging {

  override def whole: PinnedFileIndex = PinTable.whole(table, snapshot)

  override def tableVersion: TableVersion = NamedVersion(table.toString, snapshot.info.id)

  /** Rows in the files, before any filter. */
  override lazy val rows: Long = kept.iterator.map(snapshot.files.rows).sum

  override lazy val sizeInBytes: Long = kept.iterator.map(snapshot.files.bytes).sum

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] = {
    pruned.foreach(noteReads)
    if (!eachAPartition) super.listFiles(partitionFilters, dataFilters)
    else
      listed.toSeq.zipWithIndex.map { case (file, i) =>
        PartitionDirectory(InternalRow(i), Array(file))
      }
  }

  override def partitionSchema: StructType =
    hiddenColumn.fold(super.partitionSchema)(new StructType().add(_, IntegerType, nullable = false))

  /** The hidden column that numbers files. No column of the table has its name. */
  lazy val hiddenColumn: Option[String] = Option.when(eachAPartition) {
    val names = snapshot.schema.fieldNames.map(_.toLowerCase(Locale.ROOT)).toSet
    Iterator.iterate(PinnedFileIndex.HiddenColumn)(_ + "_").find(!names(_)).get
  }

  /** The same files, numbered by a hidden column. */
  def byFile: PinnedFileIndex =
    if (eachAPartition) this
    else new PinnedFileIndex(table, snapshot, kept, pruned, eachAPartition = true)

  /**
   * The range of a column in each file; None if the column has no statistics.
   *
   * @param nulls true if NULL is a key too, so that nothing is known of files that have some
   */
  def ranges(column: String, dataType: DataType, nulls: Boolean): Option[KeyRanges] =
    stats(column, dataType).map { stats =>
      def known(i: Int) = stats.has(i) && !(nulls && stats.nulls(i) > 0)
      def ends(of: Int => Any) = kept.map(i => if (known(i)) of(i) else null).toArray
      new KeyRanges(dataType, ends(stats.min), ends(stats.max),
        (snapshot.info.id, kept, if (nulls) s"$column or NULL" else column))
    }

  /** The bounds of a column in each file; None if the column has no statistics. */
  def bounds(column: String, dataType: DataType): Option[IndexedSeq[Bounds]] =
    stats(column, dataType).map { _ =>
      val rows = new FileRows(new SnapshotStats(snapshot, kept.toArray))
      val ordinal = snapshot.schema.fieldIndex(column)
      kept.indices.map { place =>
        rows.file = place
        rows.bounds(ordinal)
      }
    }

  override def numbers(column: String, dataType: DataType): Option[NumberRange] =
    stats(column, dataType).filter { known =>
      NumberRange.describes(dataType) && kept.forall(i => known.has(i) && known.bounded(i))
    }.map(known => kept.iterator.map(numbers(known, _)).fold(NumberRange.Nothing)(_ and _))

  private def numbers(known: StatsColumn, file: Int): NumberRange = {
    def number(end: Any) = end.asInstanceOf[Number].longValue
    NumberRange(known.nulls(file),
      Option.when(known.min(file) != null)((number(known.min(file)), number(known.max(file)))))
  }

  /** A scan has STRING where the log has CHAR or VARCHAR. */
  private def stats(column: String, dataType: DataType): Option[StatsColumn] =
    snapshot.files.stats(column).filter(known =>
      CharVarcharUtils.replaceCharVarcharWithString(known.dataType) == dataType)

  override def findings(scan: FileSourceScanLike): Seq[Finding] = {
    val keys = scan.partitionFilters.flatMap(_.collect { case keys: FileKeys => keys.column })
    pruned.map(_.finding(keys.distinct, AdaptNotes.of(table))).toSeq
  }

  /** Keeping account is no part of the query, which must not fail because of it. */
  private def noteReads(scan: PrunedScan): Unit =
    try {
      val files = snapshot.files
      AskedQueries.note(table, snapshot.version, scan.conjuncts.map(_.predicate), rows,
        scan.columns, scan.joins, AdaptMode.recorder(snapshot.metadata.options, SQLConf.get))
      kept.groupBy(files.tree).foreach { case (tree, own) =>
        LeafReads.note(table, tree, own.iterator.flatMap(files.leaf))
      }
    } catch {
      case NonFatal(e) => logWarning(s"It is not noted what a query has read of $table.", e)
    }

  override def equals(other: Any): Boolean = other match {
    case that: PinnedFileIndex =>
      table == that.table && partitionSchema == that.partitionSchema &&
      snapshot.info.id == that.snapshot.info.id &&
      kept == that.kept
    case _ => false
  }

  override def hashCode: Int = (table, snapshot.info.id, kept.length).hashCode

  override def toString: String = s"Colocate[$table, version ${snapshot.version}]"
}

object PinnedFileIndex {

  def apply(
      table: Path,
      snapshot: Snapshot,
      kept: IndexedSeq[Int],
      pruned: Option[PrunedScan]): PinnedFileIndex =
    new PinnedFileIndex(table, snapshot, kept, pruned, eachAPartition = false)

  private val HiddenColumn = "__colocate_file"
}
