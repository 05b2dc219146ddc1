package io.colocate.layout.source

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.command.DescribeTableCommand
import org.apache.spark.sql.types.StructType

/**
 * Columns that the catalog has not heard of: an append by path brings them, and does not know what the
 * table is called in which catalog.
 */
private object NewColumns extends Logging {

  /**
   * The columns of the newest version, where they are those of the catalog and more. A table whose log
   * is damaged is described as the catalog knows it; to read it says what is wrong.
   */
  def schema(session: SparkSession, table: CatalogTable): Option[StructType] = {
    val known = table.schema.fieldNames
    try {
      val log = CatalogCommands.open(session, table, table.location)
      Option.when(known.nonEmpty && log.exists)(log.snapshot().schema)
        .filter(there => there.length > known.length && known.forall(there.fieldNames.contains(_)))
    } catch {
      case NonFatal(e) =>
        logWarning(s"The newest columns of ${table.identifier} are not known", e)
        None
    }
  }
}

/** DESCRIBE TABLE, with the new columns behind those that Spark lists. */
final case class DescribeTable(spark: DescribeTableCommand) extends TableCommand {

  override val output = spark.output

  override protected def on(session: SparkSession): Seq[Row] = {
    val table = session.sessionState.catalog.getTableMetadata(spark.table)
    val rows = spark.run(session)
    val (columns, details) = rows.splitAt(table.schema.length)
    val fresh = NewColumns.schema(session, table).toSeq.flatten
      .filterNot(field => table.schema.fieldNames.contains(field.name))
    columns ++ fresh.map(field =>
      Row(field.name, field.dataType.simpleString, field.getComment().orNull)) ++ details
  }
}

/** REFRESH TABLE, after which the catalog has the new columns too. */
final case class RefreshTable(name: TableIdentifier) extends TableCommand {

  override protected def on(session: SparkSession): Seq[Row] = {
    val catalog = session.sessionState.catalog
    NewColumns.schema(session, catalog.getTableMetadata(name))
      .foreach(catalog.alterTableSchema(name, _))
    CatalogCommands.refresh(session, name)
  }
}
