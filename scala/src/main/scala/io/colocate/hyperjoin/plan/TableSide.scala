package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project, ResolvedHint}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType}

import io.colocate.facts.types.Orderable
import io.colocate.hyperjoin.grouping.KeyRange
import io.colocate.tables.pruning.{Bounds, OrderKeepingCast}
import io.colocate.tables.scan.PinnedFileIndex

/**
 * One side of a join that only reads a robust table: filters and projections over a scan.
 *
 * @param plan  the plan of the side in the query
 * @param files the files of the table, which are the blocks
 * @param list  the output of the side, as expressions over the columns of the table
 * @param filters joined by AND
 */
final private[hyperjoin] class TableSide(
    val plan: LogicalPlan,
    val files: PinnedFileIndex,
    list: Seq[NamedExpression],
    filters: Seq[Expression]) {

  /** Bytes of the rows of each block in a hash table, if the filters keep all rows. */
  lazy val heldBytes: Array[Long] = rowsTimes(plan.output)

  /** Bytes in memory of the columns that are read, for each block. */
  lazy val readBytes: Array[Long] = rowsTimes(AttributeSet(list ++ filters).toSeq)

  /** Estimated bytes that a shuffle would move. */
  lazy val shuffleBytes: Double = heldBytes.sum * filtered

  /** The estimated share of the rows of these files that the filters keep. */
  lazy val filtered: Double = new FilteredShare(files)(filters)

  /** Bytes in memory of some columns of the rows of each block, whether NULL or not. */
  private def rowsTimes(columns: Seq[Attribute]): Array[Long] = {
    val (fixed, varied) = columns.partition(column => UnsafeRow.isFixedLength(column.dataType))
    val row = EstimationUtils.getSizePerRow(fixed).toLong
    files.kept.map { i =>
      files.snapshot.files.rows(i) * row + varied.map(length(_, i)).sum
    }.toArray
  }

  /** A value that is computed from texts is assumed to be as long as they are. */
  private def length(column: Attribute, file: Int): Long = {
    val rows = files.snapshot.files.rows(file)
    val known = inTable(column).references.toSeq.flatMap { of =>
      files.snapshot.files.stats(of.name).map(_.length(file))
    }.sum
    rows * TableSide.Pointer + (if (known > 0) known else rows * column.dataType.defaultSize)
  }

  def paths(blocks: IndexedSeq[Int]): IndexedSeq[String] =
    blocks.map(i => files.snapshot.files.path(files.kept(i)))

  /** True if reading the rows twice gives the same rows. */
  def deterministic: Boolean = plan.deterministic

  /** The range of a key in each block; None if the key is not a column with an order. */
  def ranges(key: Expression): Option[IndexedSeq[KeyRange]] =
    if (!Orderable(key.dataType)) None
    else bounds(inTable(key)).map(_.map(TableSide.range(_, key.dataType)))

  def mayBeNull(key: Expression, blocks: IndexedSeq[Int]): Boolean =
    bounds(inTable(key)).forall(of => blocks.exists(of(_).mayBeNull))

  /** The column of the table that a key consists of, if it is a plain column. */
  def column(key: Expression): Option[Attribute] =
    Some(inTable(key)).collect { case column: AttributeReference => column }

  /** A key as an expression over the columns of the table. */
  private def inTable(key: Expression): Expression = key.transform { case a: Attribute =>
    list.find(_.exprId == a.exprId).map {
      case Alias(child, _) => child
      case other => other
    }.getOrElse(a)
  }

  private def bounds(key: Expression): Option[IndexedSeq[Bounds]] = key match {
    case column: AttributeReference => files.bounds(column.name, column.dataType)
    case cast: Cast =>
      OrderKeepingCast(cast).filter(_.total).flatMap(kept => bounds(cast.child).map(_.map(kept(_))))
    // Spark's joins treat -0.0 as 0.0 and all NaNs as equal, and so does the comparison of ranges.
    case KnownFloatingPointNormalized(normalized) =>
      normalized match {
        case NormalizeNaNAndZero(child) => bounds(child)
        case other => bounds(other)
      }
    case _ => None
  }
}

private[hyperjoin] object TableSide {

  /** Bytes for the offset and the length of a value in a row. */
  private val Pointer = 8

  /** Asks the same as [[of]], but is cheaper for most joins, which have no robust table. */
  def isOne(plan: LogicalPlan): Boolean = plan match {
    case Project(_, child) => isOne(child)
    case Filter(_, child) => isOne(child)
    case hint: ResolvedHint => isOne(hint.child)
    case relation: LogicalRelation => files(relation).nonEmpty
    case _ => false
  }

  def of(plan: LogicalPlan): Option[TableSide] = plan match {
    case PhysicalOperation(list, filters, relation: LogicalRelation) =>
      files(relation).map(new TableSide(plan, _, list, filters))
    case _ => None
  }

  private def files(relation: LogicalRelation): Option[PinnedFileIndex] = relation.relation match {
    case HadoopFsRelation(files: PinnedFileIndex, _, _, _, _, _) => Some(files)
    case _ => None
  }

  /** NaN is above all other values. */
  private def range(bounds: Bounds, dataType: DataType): KeyRange =
    if (!bounds.mayBeValue && !bounds.mayBeNaN) KeyRange.Empty
    else if (bounds.mayBeValue && (bounds.min == null || bounds.max == null)) KeyRange.Unknown
    else {
      val min = if (bounds.mayBeValue) bounds.min else nan(dataType)
      val max = if (bounds.mayBeNaN) nan(dataType) else bounds.max
      KeyRange.Known(min, max)
    }

  private def nan(dataType: DataType): Any = dataType match {
    case FloatType => Float.NaN
    case DoubleType => Double.NaN
    case other => throw new IllegalArgumentException(s"${other.sql} has no NaN")
  }
}
