package io.colocate.tables.sql

import java.net.URI

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog._
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.command._
import org.apache.spark.sql.types.{StructField, StructType}

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{NotSupported, SchemaMismatch, TableNotFound}
import io.colocate.tables.operations.{AlignToSchema, TableOptions, TableWriter, WriteOptions}
import io.colocate.tables.scan.PinTable
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.versions.ReadVersion
import io.colocate.tables.write.RowSource

/**
 * CREATE TABLE ... USING colocate: creates a table without rows, or registers the table at its location
 * in the catalog.
 */
final case class CreateTable(spark: CreateDataSourceTableCommand) extends TableCommand {

  override protected def on(session: SparkSession): Seq[Row] = {
    val catalog = session.sessionState.catalog
    val table = spark.table
    if (catalog.tableExists(table.identifier)) spark.run(session)
    else {
      CreateTable.check(table)
      val location =
        table.storage.locationUri.getOrElse(catalog.defaultTablePath(table.identifier))
      val log = CatalogCommands.open(session, table, location)
      if (log.exists) requireSame(session, log.snapshot(), log.path.toString)
      else if (table.schema.isEmpty) throw new TableNotFound(log.path.toString)
      else new TableWriter(session, log).create(table.schema, table.storage.properties)
      catalog.createTable(table.copy(schema = log.snapshot().schema,
        tracksPartitionsInCatalog = false), ignoreIfExists = spark.ignoreIfExists,
        validateLocation = false)
      Nil
    }
  }

  /** Columns and options may be omitted; otherwise they must be those of the existing table. */
  private def requireSame(session: SparkSession, there: Snapshot, path: String): Unit = {
    val schema = AlignToSchema.kept(spark.table.schema, new Path(path), session.sessionState.conf)
    if (schema.nonEmpty && schema.map(f => f.name -> f.dataType) !=
        there.schema.map(f => f.name -> f.dataType))
      throw new SchemaMismatch(path,
        s"it is ${there.schema.toDDL}, and CREATE TABLE names" +
          s" ${schema.toDDL}; accepted: the same columns, or none.")
    TableOptions.requireSame(spark.table.storage.properties, there.metadata.options, path)
  }
}

object CreateTable {

  /** @throws NotSupported for clauses that would have no effect on a Colocate table */
  def check(table: CatalogTable): Unit = {
    def refuse(what: String) = throw new NotSupported(what, LayoutOptions)
    if (table.partitionColumnNames.nonEmpty) refuse("PARTITIONED BY")
    if (table.bucketSpec.nonEmpty) refuse("CLUSTERED BY")
    table.schema.find(!_.nullable).foreach(field =>
      throw new NotSupported(s"NOT NULL, of the column '${field.name}',",
        "columns that may hold NULL, and rows that are filtered before they are written"))
    checkProperties(table.properties)
    WriteOptions.check(table.storage.properties)
  }

  /** @throws NotSupported for CLUSTER BY, and for our options given as properties, which nothing reads */
  def checkProperties(properties: Map[String, String]): Unit = {
    // ALTER TABLE ... CLUSTER BY NONE sets this property too.
    if (properties.contains(CatalogTable.PROP_CLUSTERING_COLUMNS))
      throw new NotSupported("CLUSTER BY", LayoutOptions)
    properties.keys.find(WriteOptions.isKnown).foreach(name =>
      throw new NotSupported(s"The table property '$name'",
        s"OPTIONS ($name ...) of CREATE TABLE, or the option $name of a write"))
  }

  private def LayoutOptions = "OPTIONS (joinKey, columns, weights), which say how the tree cuts"

  /** The catalog's options may be older than the layout of the existing table, which stays. */
  def appending(
      command: CreateDataSourceTableAsSelectCommand): CreateDataSourceTableAsSelectCommand = {
    val storage = command.table.storage
    val options = TableOptions.beside(storage.properties)
    command.copy(table = command.table.copy(storage = storage.copy(properties = options)))
  }
}

/**
 * CREATE TABLE ... LIKE: creates a table without rows, with the columns of another one, and also with
 * its options if that is a Colocate table.
 */
final case class CreateTableLike(spark: CreateTableLikeCommand) extends TableCommand {

  override protected def on(session: SparkSession): Seq[Row] = {
    val (schema, options) = columnsAndOptions(session)
    val location = spark.fileFormat.locationUri
    val storage = CatalogStorageFormat.empty.copy(locationUri = location, properties = options)
    val kind = if (location.isEmpty) CatalogTableType.MANAGED else CatalogTableType.EXTERNAL
    // The types are copied, but NOT NULL is not: our tables do not support it.
    val columns = AlignToSchema.nullable(schema).asInstanceOf[StructType]
    val table = CatalogTable(spark.targetTable, kind, storage, columns,
      provider = Some(ColocateSource.ShortName), properties = spark.properties)
    CreateTable(CreateDataSourceTableCommand(table, spark.ifNotExists)).run(session)
  }

  /** For a Colocate table the log has both more reliably than the catalog. */
  private def columnsAndOptions(session: SparkSession): (StructType, Map[String, String]) = {
    val source = session.sessionState.catalog.getTempViewOrPermanentTableMetadata(spark.sourceTable)
    if (CatalogCommands.isRobust(source)) {
      val there = CatalogCommands.open(session, source, source.location).snapshot()
      (there.schema, there.metadata.options)
    } else (CharVarcharUtils.getRawSchema(source.schema, session.sessionState.conf), Map.empty)
  }
}

object CreateTableLike {

  /** True if the command creates a Colocate table. */
  def isRobust(session: SparkSession, spark: CreateTableLikeCommand): Boolean =
    spark.provider match {
      case Some(format) => format.equalsIgnoreCase(ColocateSource.ShortName)
      case None =>
        val catalog = session.sessionState.catalog
        spark.fileFormat.inputFormat.isEmpty &&
        Try(catalog.getTempViewOrPermanentTableMetadata(spark.sourceTable)).toOption
          .exists(CatalogCommands.isRobust)
    }
}

/**
 * INSERT INTO and INSERT OVERWRITE.
 *
 * @param query a query whose rows are already cast to the table's columns
 * @param names the names of these columns, in the order of the query
 */
final case class InsertRows(table: Path, query: LogicalPlan, names: Seq[String], overwrite: Boolean)
    extends TableCommand {

  override def innerChildren: Seq[QueryPlan[_]] = Seq(query)

  override protected def on(session: SparkSession): Seq[Row] = {
    val log = ColocateSource.open(session, Map(WriteOptions.Path -> table.toString))
    val newest = log.snapshot()
    val execution = session.sessionState.executePlan(query)
    def rows = RowSource.of(session, execution).map(AlignToSchema.named(_, names))
    val writer = new TableWriter(session, log)
    if (overwrite) writer.replace(ReadVersion(log, newest, execution.optimizedPlan), rows)
    else writer.append(rows, Map.empty)
    Nil
  }
}

/** TRUNCATE TABLE: commits a version without rows; earlier versions can still be read. */
final case class TruncateTable(name: TableIdentifier) extends TableCommand {
  override protected def on(session: SparkSession): Seq[Row] = {
    new TableWriter(session, CatalogCommands.log(session, name)).truncate()
    CatalogCommands.refresh(session, name)
  }
}

/**
 * ANALYZE TABLE: takes size and rows from the log, without reading a file. If the table has replicas,
 * they are those of one copy, as a query reads one.
 */
final case class AnalyzeTable(name: TableIdentifier) extends TableCommand {
  override protected def on(session: SparkSession): Seq[Row] = {
    val log = CatalogCommands.log(session, name)
    val files = PinTable.whole(log.path, log.snapshot())
    val catalog = session.sessionState.catalog
    val columns = catalog.getTableMetadata(name).stats.map(_.colStats).getOrElse(Map.empty)
    catalog.alterTableStats(name,
      Some(CatalogStatistics(files.sizeInBytes, Some(files.rows), columns)))
    CatalogCommands.refresh(session, name)
  }
}

/** ANALYZE TABLES: one table after another; tables of other formats as Spark does it. */
final case class AnalyzeTables(spark: AnalyzeTablesCommand) extends TableCommand {

  override protected def on(session: SparkSession): Seq[Row] = {
    AnalyzeTables.names(session, spark).foreach { name =>
      val command =
        if (CatalogCommands.robust(session, name).isEmpty)
          AnalyzeTableCommand(name, spark.noScan)
        else AnalyzeTable(name)
      // As in Spark, an error with one table does not keep the others from being analysed.
      try command.run(session)
      catch { case NonFatal(e) => logWarning(s"Failed to analyze table $name", e) }
    }
    Nil
  }
}

object AnalyzeTables {

  /** True if there is a Colocate table among those that the command analyses. */
  def concerns(session: SparkSession, spark: AnalyzeTablesCommand): Boolean =
    Try(names(session, spark)).toOption.exists(_.exists(CatalogCommands.robust(session,
      _).nonEmpty))

  private def names(session: SparkSession, spark: AnalyzeTablesCommand): Seq[TableIdentifier] = {
    val catalog = session.sessionState.catalog
    catalog.listTables(spark.databaseName.getOrElse(catalog.getCurrentDatabase))
  }
}

/** ALTER TABLE ... ADD COLUMNS. */
final case class AddColumns(name: TableIdentifier, columns: Seq[StructField]) extends TableCommand {
  override protected def on(session: SparkSession): Seq[Row] = {
    val log = CatalogCommands.log(session, name)
    new TableWriter(session, log).addColumns(StructType(columns))
    // The table has them by now; no query fails if the catalog does not have them (NewestColumns).
    try session.sessionState.catalog.alterTableSchema(name, log.snapshot().schema)
    catch {
      case NonFatal(e) =>
        logWarning(s"$name has new columns, of which the catalog does not know; run REFRESH TABLE",
          e)
    }
    CatalogCommands.refresh(session, name)
  }
}

/** ALTER TABLE ... ALTER COLUMN: a comment is stored in the catalog, everything else in the log. */
private[tables] object AlterColumn {

  /** @throws NotSupported for a change that the catalog would have and the table would not */
  def check(session: SparkSession, command: AlterTableChangeColumnCommand): Unit = {
    val table = session.sessionState.catalog.getTableMetadata(command.tableName)
    val before =
      table.schema.find(f => session.sessionState.conf.resolver(f.name, command.columnName))
    val after = command.newColumn
    def refuse(what: String, instead: String) =
      throw new NotSupported(s"ALTER COLUMN ${command.columnName} $what", instead)
    before.foreach { column =>
      if (column.getCurrentDefaultValue() != after.getCurrentDefaultValue())
        refuse("SET or DROP DEFAULT", "ADD COLUMNS (another_name ... DEFAULT ...)")
      if (column.dataType != after.dataType || column.name != after.name)
        refuse("TYPE", "the mode overwrite by the table's path, with a cast of the column")
    }
  }
}

/** A command on a Colocate table; Spark shows it in its UI like its own commands. */
private[tables] trait TableCommand extends LeafRunnableCommand {

  protected def on(session: SparkSession): Seq[Row]

  final override def run(session: org.apache.spark.sql.SparkSession): Seq[Row] =
    on(session.asInstanceOf[SparkSession])
}

private[tables] object CatalogCommands {

  def log(session: SparkSession, name: TableIdentifier): TableLog = {
    val table = session.sessionState.catalog.getTableMetadata(name)
    open(session, table, table.location)
  }

  def open(session: SparkSession, table: CatalogTable, location: URI): TableLog =
    ColocateSource.open(session, options(table, location))

  /** The options of a reader or a writer of the format for a table of the catalog. */
  def options(table: CatalogTable, location: URI): Map[String, String] =
    table.storage.properties + (WriteOptions.Path -> CatalogUtils.URIToString(location))

  def isRobust(table: CatalogTable): Boolean =
    table.provider.exists(_.equalsIgnoreCase(ColocateSource.ShortName))

  /** A Colocate table; None if the catalog has no table of this name, or one of another format. */
  def robust(session: SparkSession, name: TableIdentifier): Option[CatalogTable] =
    Try(session.sessionState.catalog.getTableMetadata(name)).toOption.filter(isRobust)

  /** The same for a name in a query; a temporary view hides a table of its name. */
  def robust(session: SparkSession, parts: Seq[String]): Option[CatalogTable] = {
    val own = "spark_catalog"
    lazy val current = session.sessionState.catalogManager.currentCatalog.name == own
    val name = parts match {
      case Seq(catalog, database, table) if catalog.equalsIgnoreCase(own) =>
        Some(TableIdentifier(table, Some(database)))
      case Seq(database, table) if current => Some(TableIdentifier(table, Some(database)))
      case Seq(table) if current => Some(TableIdentifier(table))
      case _ => None
    }
    name.filterNot(session.sessionState.catalog.isTempView(_)).flatMap(robust(session, _))
  }

  def refresh(session: SparkSession, name: TableIdentifier): Seq[Row] = {
    session.catalog.refreshTable(name.quotedString)
    Nil
  }
}
