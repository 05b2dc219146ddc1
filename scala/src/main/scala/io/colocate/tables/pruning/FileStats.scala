package io.colocate.tables.pruning

import org.apache.spark.sql.types.{DataType, StructType}

/**
 * The files of one version of a table with their statistics, by file and column number, so that they can
 * be held in arrays.
 *
 * Statistics describe the rows as a reader sees them. Bounds only need to enclose the values: those of
 * long texts may be shortened, and raised for the upper bound.
 */
trait FileStats {

  /** The table's schema at this version; columns are numbered by it. */
  def schema: StructType

  /** The number of files. */
  def length: Int

  def path(file: Int): String

  /** The tree that routed the file's rows, and the leaf they went to; -1 if none did. */
  def tree(file: Int): Int
  def leaf(file: Int): Int

  def rows(file: Int): Long

  /** False if the file was written before the column was added to the table. */
  def holds(column: Int, file: Int): Boolean

  /** Number of rows with NULL; negative if unknown. */
  def nulls(column: Int, file: Int): Long

  /** Number of rows with NaN, for FLOAT and DOUBLE; negative if unknown. */
  def nans(column: Int, file: Int): Long

  /** Least and greatest value that is neither NULL nor NaN; null if unknown or if there is none. */
  def min(column: Int, file: Int): Any
  def max(column: Int, file: Int): Any
}

/** The bounds of one file at a time, chosen by `file`. */
final private[colocate] class FileRows(stats: FileStats) extends KnownRows {

  private val floating = stats.schema.fields.map(field => Bounds.floating(field.dataType))

  /** A column added later is all NULL, unless it came with a default for older rows. */
  private val added = stats.schema.fields.map { field =>
    if (field.metadata.contains(FileRows.ExistenceDefault)) unknown(field.dataType)
    else Bounds.OnlyNull
  }

  private def unknown(dataType: DataType) = Bounds.unknown(Bounds.floating(dataType))

  /** The file whose bounds are asked for. */
  var file: Int = 0

  override def bounds(column: Int): Bounds =
    if (!stats.holds(column, file)) added(column)
    else
      Bounds.ofFile(floating(column), stats.rows(file), stats.nulls(column, file),
        stats.nans(column, file), stats.min(column, file), stats.max(column, file))

  /** True if any file has statistics of the column that could rule something out. */
  def hasStatistics(column: Int): Boolean = (0 until stats.length).exists { i =>
    !stats.holds(column, i) || stats.nulls(column, i) >= 0 || stats.min(column, i) != null ||
    stats.max(column, i) != null
  }
}

private[tables] object FileRows {

  /** Spark's metadata key of a column's value in rows that are older than the column. */
  val ExistenceDefault: String = "EXISTS_DEFAULT"
}
