package io.colocate.tables.scan

import org.apache.spark.sql.catalyst.catalog.{CatalogColumnStat, CatalogStatistics}
import org.apache.spark.sql.catalyst.plans.logical.ColumnStat
import org.apache.spark.sql.types._

import io.colocate.facts.types.Orderable
import io.colocate.tables.snapshot.StatsColumn

/**
 * Statistics for the optimiser about the files that a scan reads: their size and rows, and for each
 * column the number of NULLs and the bounds of the other values.
 *
 * The number of distinct values comes from ANALYZE, otherwise from [[KnownDistinct]], if it is known
 * there. Without it, Spark estimates comparisons within the bounds as if all rows passed.
 */
object ScanStatistics {

  /**
   * @param analyzed the statistics that ANALYZE has gathered for the whole table
   * @param factor   the session's factor by which files grow in memory
   * @param wanted   columns that get statistics without ANALYZE too
   */
  def apply(
      files: PinnedFileIndex,
      analyzed: Map[String, CatalogColumnStat],
      factor: Double,
      wanted: Set[String]): CatalogStatistics = {
    val bytes = (BigDecimal(files.sizeInBytes) * BigDecimal(factor)).toBigInt
    val columns = for {
      field <- files.snapshot.schema.fields
      known <- files.snapshot.files.stats(field.name) if known.dataType == field.dataType
      found <- analyzed.get(field.name) match {
        case Some(before) => Some(narrowed(files, field, known, before))
        case None if wanted(field.name) => fromFiles(files, field, known)
        case None => None
      }
    } yield field.name -> found
    CatalogStatistics(bytes, Some(files.rows), analyzed ++ columns)
  }

  private def narrowed(
      files: PinnedFileIndex,
      field: StructField,
      known: StatsColumn,
      analyzed: CatalogColumnStat): CatalogColumnStat = {
    val before = analyzed.toPlanStat(field.name, field.dataType)
    val whole = files.kept.forall(known.has)
    val rows = if (whole) before.copy(nullCount = Some(nulls(files, known))) else before
    val bounded =
      if (whole && hasBounds(field.dataType)) bounds(files.kept, field.dataType, known) else None
    bounded.fold(rows) { case (min, max) => rows.copy(min = Some(min), max = Some(max)) }
      .toCatalogColumnStat(field.name, field.dataType)
  }

  /** None if too little is known: to Spark, missing bounds mean that there is no value at all. */
  private def fromFiles(
      files: PinnedFileIndex,
      field: StructField,
      known: StatsColumn): Option[CatalogColumnStat] = {
    val count = nulls(files, known)
    val nullsOnly = ColumnStat(nullCount = Some(count))
    val stat =
      if (files.kept.isEmpty || !files.kept.forall(known.has)) None
      else
        field.dataType match {
          // Spark's estimates do not know types with other collations.
          case StringType | BinaryType => Some(nullsOnly.copy(avgLen = length(files, known)))
          case _: NumericType | DateType | TimestampType | BooleanType if count == files.rows =>
            Some(nullsOnly.copy(distinctCount = Some(0)))
          case _: NumericType | DateType | TimestampType | BooleanType =>
            bounds(files.kept, field.dataType, known).filter(calculable(files, known, _)).map {
              case (min, max) =>
                nullsOnly.copy(distinctCount = KnownDistinct(files, known), min = Some(min),
                  max = Some(max))
            }
          case _ => None
        }
    stat.map(_.toCatalogColumnStat(field.name, field.dataType))
  }

  private def nulls(files: PinnedFileIndex, known: StatsColumn): BigInt =
    files.kept.iterator.map(known.nulls).sum

  /** The mean bytes of a value, if all files have this figure. */
  private def length(files: PinnedFileIndex, known: StatsColumn): Option[Long] = {
    val rows = files.snapshot.files.rows _
    val told = files.kept.forall(i => known.length(i) > 0 || known.nulls(i) == rows(i))
    Option.when(told && files.rows > 0)(
      math.ceil(files.kept.iterator.map(known.length).sum.toDouble / files.rows).toLong)
  }

  private def bounds(
      kept: IndexedSeq[Int],
      dataType: DataType,
      known: StatsColumn): Option[(Any, Any)] = {
    val ordering = Orderable.ordering(dataType)
    var least, most: Any = null
    // A single pass over the files, as there may be very many.
    val bounded = kept.forall { i =>
      val (low, high) = (known.min(i), known.max(i))
      if (low != null && (least == null || ordering.lt(low, least))) least = low
      if (high != null && (most == null || ordering.gt(high, most))) most = high
      known.bounded(i)
    }
    Option.when(bounded && least != null && most != null)((least, most))
  }

  /** Spark's estimates divide by the distance of the bounds, which must be finite. */
  private def calculable(files: PinnedFileIndex, known: StatsColumn, bounds: (Any, Any)): Boolean =
    bounds match {
      case (min: Double, max: Double) =>
        files.kept.forall(known.nans(_) == 0) && (max - min).isFinite
      case (min: Float, max: Float) =>
        files.kept.forall(known.nans(_) == 0) && (max.toDouble - min.toDouble).isFinite
      case _ => true
    }

  /** The types of which Spark keeps bounds. */
  private def hasBounds(dataType: DataType): Boolean = dataType match {
    case _: NumericType | DateType | TimestampType | TimestampNTZType | BooleanType => true
    case _ => false
  }
}
