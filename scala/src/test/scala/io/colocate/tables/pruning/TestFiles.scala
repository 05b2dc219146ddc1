package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.types.StructType

import io.colocate.facts.types.Orderable

/** The statistics of a column in a file, as [[FileStats]] gives them. */
final private[tables] case class ColumnStat(
    nulls: Long,
    nans: Long,
    min: Any,
    max: Any,
    held: Boolean = true)

/** @param rows values as they stand in an InternalRow */
final private[tables] case class TestFile(
    rows: IndexedSeq[IndexedSeq[Any]],
    stats: IndexedSeq[ColumnStat],
    tree: Int = -1,
    leaf: Int = -1)

private[tables] object TestFile {

  /** With the statistics that a careful writer leaves. */
  def exact(schema: StructType, rows: IndexedSeq[IndexedSeq[Any]]): TestFile =
    TestFile(rows, schema.indices.map(i => stat(schema, rows.map(_(i)), i)))

  private def stat(schema: StructType, values: IndexedSeq[Any], column: Int): ColumnStat = {
    val dataType = schema(column).dataType
    val numbers = values.filter(v => v != null && !Bounds.isNaN(v))
    val (min, max) =
      if (numbers.isEmpty || !Orderable(dataType)) (null, null)
      else {
        val ordering = Orderable.ordering(dataType)
        (numbers.min(ordering), numbers.max(ordering))
      }
    ColumnStat(values.count(_ == null), values.count(Bounds.isNaN), min, max)
  }
}

/** Files of rows in memory. */
final private[tables] case class TestFiles(schema: StructType, files: IndexedSeq[TestFile])
    extends FileStats {

  override def length: Int = files.length
  override def path(file: Int): String = s"file-$file"
  override def tree(file: Int): Int = files(file).tree
  override def leaf(file: Int): Int = files(file).leaf
  override def rows(file: Int): Long = files(file).rows.length
  override def holds(column: Int, file: Int): Boolean = files(file).stats(column).held
  override def nulls(column: Int, file: Int): Long = files(file).stats(column).nulls
  override def nans(column: Int, file: Int): Long = files(file).stats(column).nans
  override def min(column: Int, file: Int): Any = files(file).stats(column).min
  override def max(column: Int, file: Int): Any = files(file).stats(column).max
}

private[tables] object TestFiles {

  def attributes(schema: StructType): IndexedSeq[AttributeReference] =
    schema.map(f => AttributeReference(f.name, f.dataType)()).toIndexedSeq
}
