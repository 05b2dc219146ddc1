package io.colocate.functions.advise

import scala.util.Try

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.{CatalogColumnStat, CatalogTable}
import org.apache.spark.sql.catalyst.plans.logical.{Histogram, HistogramBin}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{DoubleType, LongType, StringType, StructType}

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.functions.tables.PlannedQueries

/** `SELECT * FROM colocate_column_statistics('["shop.orders"]')` */
private[colocate] object ColumnStatisticsFunction
    extends ReportFunction("colocate_column_statistics", Seq("tables"),
      "_FUNC_(tables) - What the catalog knows of the values of tables (a JSON array of names): a row for each" +
        " column whose distinct values have been counted, by ANALYZE TABLE. hottest is the largest share of" +
        " the rows that one value may have, from 0 to 1; NULL without a histogram. Views, and tables of" +
        " catalogs other than spark_catalog, have no rows.",
      new StructType()
        .add("table", StringType, nullable = false)
        .add("column", StringType, nullable = false)
        .add("distinct", LongType, nullable = false)
        .add("hottest", DoubleType)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = for {
    name <- PlannedQueries.requiredTexts(arguments, "tables", "a JSON array of names of tables")
    table <- stored(session, name).toSeq
    (column, known) <- counted(table)
  } yield Seq(name, column, known.distinctCount.get.toLong,
    known.histogram.map(hottest).getOrElse(null))

  /** Files have no name that can be read as one. */
  private def stored(session: SparkSession, name: String): Option[CatalogTable] = {
    val catalog = session.sessionState.catalog
    val parts = Try(session.sessionState.sqlParser.parseMultipartIdentifier(name)).toOption
    val identifier = parts.collect {
      case Seq(own, database, table) if own.equalsIgnoreCase("spark_catalog") =>
        TableIdentifier(table, Some(database))
      case Seq(database, table) => TableIdentifier(table, Some(database))
      case Seq(table) => TableIdentifier(table)
    }
    identifier.filter(catalog.tableExists).map(catalog.getTableMetadata)
  }

  private def counted(table: CatalogTable): Seq[(String, CatalogColumnStat)] = for {
    field <- table.schema.toSeq
    known <- table.stats.flatMap(_.colStats.get(field.name))
    if known.distinctCount.isDefined
  } yield (field.name, known)

  /** Bins are of equal height: of those that a value only touches, it may have one besides those it fills alone. */
  private def hottest(histogram: Histogram): Double = {
    val alone = histogram.bins.toSeq.collect {
      case HistogramBin(low, high, _) if low == high =>
        low
    }
    val most = alone.groupBy(identity).values.map(_.size).maxOption.getOrElse(0)
    (most + 1.0) / histogram.bins.length
  }
}
