package io.colocate.layout.read

import org.apache.spark.sql.catalyst.catalog.{CatalogColumnStat, CatalogStatistics}
import org.apache.spark.sql.types._

import io.colocate.layout.log.StatsColumn
import io.colocate.layout.tree.Orderable

/**
 * What the optimiser should know of the files that a scan reads: their size and rows, and of each
 * column how many NULLs they hold and between which values the others lie.
 *
 * How many different values there are, no manifest tells. That comes from ANALYZE, and without it
 * there are no bounds either, as Spark's estimates ask for both.
 */
object ScanStatistics {

  /**
   * @param analyzed what ANALYZE has found in the whole table
   * @param factor   by which files grow in memory, as the session has it
   */
  def apply(
      files: PinnedFileIndex,
      analyzed: Map[String, CatalogColumnStat],
      factor: Double): CatalogStatistics = {
    val bytes = (BigDecimal(files.sizeInBytes) * BigDecimal(factor)).toBigInt
    val columns = for {
      field <- files.snapshot.schema.fields if analyzed.contains(field.name)
      known <- files.snapshot.files.stats(field.name) if known.dataType == field.dataType
    } yield field.name -> column(files.kept, field, known, analyzed(field.name))
    CatalogStatistics(bytes, Some(files.rows), analyzed ++ columns)
  }

  private def column(
      kept: IndexedSeq[Int],
      field: StructField,
      known: StatsColumn,
      analyzed: CatalogColumnStat): CatalogColumnStat = {
    val before = analyzed.toPlanStat(field.name, field.dataType)
    val whole = kept.forall(known.has)
    val nulls = if (whole) Some(BigInt(kept.iterator.map(known.nulls).sum)) else before.nullCount
    val rows = before.copy(nullCount = nulls)
    val bounded =
      if (whole && hasBounds(field.dataType)) bounds(kept, field.dataType, known) else None
    bounded.fold(rows) { case (min, max) => rows.copy(min = Some(min), max = Some(max)) }
      .toCatalogColumnStat(field.name, field.dataType)
  }

  private def bounds(
      kept: IndexedSeq[Int],
      dataType: DataType,
      known: StatsColumn): Option[(Any, Any)] = {
    val ordering = Orderable.ordering(dataType)
    val filled = kept.filter(i => known.min(i) != null && known.max(i) != null)
    Option.when(filled.nonEmpty && kept.forall(known.bounded))(
      (filled.iterator.map(known.min).min(ordering), filled.iterator.map(known.max).max(ordering)))
  }

  /** Spark keeps bounds of no other types. */
  private def hasBounds(dataType: DataType): Boolean = dataType match {
    case _: NumericType | DateType | TimestampType | TimestampNTZType | BooleanType => true
    case _ => false
  }
}
