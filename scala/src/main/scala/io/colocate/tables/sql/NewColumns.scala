package io.colocate.tables.sql

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.command.DescribeTableCommand
import org.apache.spark.sql.types.{DataType, StructField, StructType}

import io.colocate.tables.operations.AlignToSchema

/**
 * Columns that the catalog does not have, or still has: a write by path adds and removes columns, and
 * does not know the table's name in any catalog.
 */
private object NewColumns extends Logging {

  /**
   * The columns of the newest version, if they differ from those of the catalog; unchanged columns stay
   * as the catalog has them. A table whose log is damaged is described as the catalog has it; reading it
   * reports the damage.
   */
  def schema(session: SparkSession, table: CatalogTable): Option[StructType] =
    try {
      val log = CatalogCommands.open(session, table, table.location)
      val known = table.schema
      Option.when(known.nonEmpty && log.exists)(log.snapshot().schema)
        .filter(columns(_) != columns(known))
        .map(there => StructType(there.map(field => known.find(same(_, field)).getOrElse(field))))
    } catch {
      case NonFatal(e) =>
        logWarning(s"The newest columns of ${table.identifier} are not known", e)
        None
    }

  private def columns(schema: StructType): Set[(String, DataType)] =
    schema.map(field => field.name -> text(field)).toSet

  private def same(a: StructField, b: StructField): Boolean =
    a.name == b.name && text(a) == text(b)

  /** The catalog may have STRING where the log has CHAR or VARCHAR, and NOT NULL where the log has NULL. */
  private def text(field: StructField): DataType =
    CharVarcharUtils.replaceCharVarcharWithString(AlignToSchema.nullable(field.dataType))
}

/** DESCRIBE TABLE, with the columns that the table has now. */
final case class DescribeTable(spark: DescribeTableCommand) extends TableCommand {

  override val output = spark.output

  override protected def on(session: SparkSession): Seq[Row] = {
    val table = session.sessionState.catalog.getTableMetadata(spark.table)
    val rows = spark.run(session)
    NewColumns.schema(session, table).fold(rows)(described(_) ++ rows.drop(table.schema.length))
  }

  private def described(columns: StructType): Seq[Row] = columns.map { field =>
    Row(field.name,
      CharVarcharUtils.getRawType(field.metadata).getOrElse(field.dataType)
        .simpleString, field.getComment().orNull)
  }
}

/** REFRESH TABLE, which also gives the catalog the columns of the newest version. */
final case class RefreshTable(name: TableIdentifier) extends TableCommand {

  override protected def on(session: SparkSession): Seq[Row] = {
    val catalog = session.sessionState.catalog
    val table = catalog.getTableMetadata(name)
    // Not through the session's catalog, which cannot drop a column.
    NewColumns.schema(session, table).foreach(catalog.externalCatalog
        .alterTableDataSchema(table.database, table.identifier.table, _))
    CatalogCommands.refresh(session, name)
  }
}
