package io.colocate.tables.scan

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.execution.InSubqueryExec
import org.apache.spark.sql.types.{BooleanType, DataType}

import io.colocate.facts.types.Orderable
import io.colocate.tables.pruning.SortedValues

/**
 * The values that a column has in one file. It replaces the partition column in Spark's dynamic pruning
 * until the query is planned; then [[AnyKeyInFile]] replaces it.
 *
 * @param file   the number of a file, the hidden partition column of a scan
 * @param column its name, for explain()
 */
final case class FileKeys(file: Expression, column: String, ranges: KeyRanges)
    extends UnaryExpression
    with Unevaluable {
  override def child: Expression = file
  override def dataType: DataType = ranges.dataType
  override def nullable: Boolean = true
  override def toString: String = s"keys($column) in $file"
  override protected def withNewChildInternal(newChild: Expression): Expression =
    copy(file = newChild)
}

/**
 * The range of a column in each file, by number of file.
 *
 * @param of identifies version, files and column; equal identifiers make equal ranges, so that equal
 *           scans are equal
 */
final class KeyRanges(
    val dataType: DataType,
    mins: Array[Any],
    maxes: Array[Any],
    val of: (String, IndexedSeq[Int], String))
    extends Serializable {

  /** Keys to compare with the files; NULL equals none. */
  private[tables] def sorted(keys: Array[Any]): SortedValues =
    new SortedValues(keys.filter(_ != null), Orderable.ordering(dataType))

  private[tables] def mayHoldAny(file: Int, keys: SortedValues): Boolean =
    keys.anyWithin(mins(file), minIncluded = true, maxes(file), maxIncluded = true)

  override def equals(other: Any): Boolean = other match {
    case that: KeyRanges => of == that.of
    case _ => false
  }

  override def hashCode: Int = (of._1, of._3).hashCode
}

/**
 * Whether a file may hold one of the keys that the other side of a join has.
 *
 * @param keys the result of the subquery; its own child is not evaluated
 */
final case class AnyKeyInFile(file: Expression, keys: InSubqueryExec, ranges: KeyRanges)
    extends BinaryExpression
    with Predicate
    with CodegenFallback {

  @transient private lazy val sorted: Option[SortedValues] = {
    keys.updateResult()
    keys.values().map(ranges.sorted)
  }

  override def left: Expression = file
  override def right: Expression = keys
  override def dataType: DataType = BooleanType
  override def nullable: Boolean = false

  override def eval(input: InternalRow): Any =
    sorted.forall(ranges.mayHoldAny(file.eval(input).asInstanceOf[Int], _))

  override def toString: String = s"$file may hold one of $keys"

  override protected def withNewChildrenInternal(
      newLeft: Expression,
      newRight: Expression): Expression =
    copy(file = newLeft, keys = newRight.asInstanceOf[InSubqueryExec])
}
