package io.colocate.tables.feed

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{And, AttributeReference, BoundReference, Expression, Predicate}
import org.apache.spark.sql.execution.FileSourceScanLike
import org.apache.spark.sql.execution.datasources.PartitionDirectory
import org.apache.spark.sql.types.{DataType, LongType, StructType, TimestampType}

import io.colocate.facts.estimated.{CountedFiles, NumberRange}
import io.colocate.report.{Finding, HasFindings}
import io.colocate.tables.scan.ListedFiles

/**
 * Files whose rows are changes. What is the same for all rows of a file is a partition column, so a
 * filter on the version leaves files out.
 *
 * {{{
 *   part-1.parquet  came with version 4  =>  its rows, with _commit_version = 4 and __diff = 1
 * }}}
 *
 * @param id   of the commit of the last version, so that a table of the same path is another one
 * @param tell what explain() says of a scan of some of the files
 */
final class ChangedFiles(
    table: Path,
    private val id: String,
    private val changes: Seq[ChangedFile],
    tell: Seq[ChangedFile] => Finding)
    extends ListedFiles(table,
      changes.map(f => ListedFiles.status(table, f.path, f.bytes, f.modified)))
    with CountedFiles
    with HasFindings {

  override def rows: Long = changes.map(_.rows).sum

  override def numbers(column: String, dataType: DataType): Option[NumberRange] = None

  override def partitionSchema: StructType = ChangedFiles.Columns

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] = {
    val passes = check(partitionFilters)
    val groups = changes.zip(listed).groupBy { case (change, _) => values(change) }
    groups.toSeq.sortBy(_._2.head._1.version).collect {
      case (values, files) if passes(values) => PartitionDirectory(values, files.map(_._2).toArray)
    }
  }

  /** Only the files that pass, so that the optimiser knows how few they are. */
  private[tables] def having(partitionFilters: Seq[Expression]): ChangedFiles = {
    val passes = check(partitionFilters)
    val left = changes.filter(change => passes(values(change)))
    if (left.length == changes.length) this else new ChangedFiles(table, id, left, tell)
  }

  private def values(change: ChangedFile): InternalRow =
    InternalRow(change.version, change.time * MicrosPerMilli, change.diff.toLong)

  private def check(filters: Seq[Expression]): InternalRow => Boolean =
    filters.reduceOption(And).map(bound(_)).fold((_: InternalRow) => true) { filter =>
      Predicate.createInterpreted(filter).eval(_)
    }

  private def bound(filter: Expression): Expression = filter.transform {
    case a: AttributeReference =>
      val ordinal = partitionSchema.fieldIndex(a.name)
      BoundReference(ordinal, a.dataType, nullable = false)
  }

  private val MicrosPerMilli = 1000L

  override def findings(scan: FileSourceScanLike): Seq[Finding] = Seq(tell(changes))

  override def equals(other: Any): Boolean = other match {
    case that: ChangedFiles =>
      table == that.table && id == that.id && changes == that.changes
    case _ => false
  }

  override def hashCode: Int = (table, id, changes.length).hashCode

  override def toString: String = s"Colocate changes[$table]"
}

object ChangedFiles {

  /** Columns of changes, beside those of the table. */
  val Version: String = "_commit_version"
  val Timestamp: String = "_commit_timestamp"
  val Diff: String = "__diff"

  private[feed] val Columns: StructType = new StructType()
    .add(Version, LongType, nullable = false)
    .add(Timestamp, TimestampType, nullable = false)
    .add(Diff, LongType, nullable = false)
}
