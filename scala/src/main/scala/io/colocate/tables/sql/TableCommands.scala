package io.colocate.tables.sql

import org.apache.spark.sql.{classic, SaveMode, SparkSession}
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.plans.logical.{DeleteFromTable, LogicalPlan, MergeIntoTable, Union, UpdateTable}
import org.apache.spark.sql.execution.command._
import org.apache.spark.sql.execution.datasources.{CreateTable => _, _}

import io.colocate.rule.PlanRule
import io.colocate.tables.format.NotSupported
import io.colocate.tables.operations.WriteOptions
import io.colocate.tables.versions.{RobustFileIndex, TableScan}

/**
 * Replaces Spark's commands on Colocate tables, which would work on the files in a folder: CREATE TABLE,
 * with LIKE too, would write no log, INSERT would write files that belong to no version, TRUNCATE would
 * delete all files, ANALYZE would count files of older versions, ALTER TABLE ADD COLUMNS refuses formats
 * that it does not know, and DESCRIBE and REFRESH TABLE would not see columns that an append by path
 * added. A command that is not supported yet is refused, with an alternative in the message.
 *
 * Commands on all other tables pass unchanged.
 */
final case class TableCommands(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    // FROM ... INSERT INTO ... INSERT INTO ...
    case inserts: Union => inserts.mapChildren(apply)
    case command: CreateDataSourceTableCommand if ours(command.table) => CreateTable(command)
    case command: CreateDataSourceTableAsSelectCommand if ours(command.table) =>
      CreateTable.check(command.table)
      if (ours(command.table.identifier)) CreateTable.appending(command) else command
    case command: CreateTableLikeCommand if CreateTableLike.isRobust(classicSession, command) =>
      CreateTableLike(command)
    case command: InsertIntoHadoopFsRelationCommand =>
      command.fileIndex match {
        case Some(index: RobustFileIndex) =>
          InsertRows(index.table, command.query, command.outputColumnNames,
            overwrite = command.mode == SaveMode.Overwrite)
        case _ => command
      }
    case command: TruncateTableCommand if ours(command.tableName) =>
      if (command.partitionSpec.nonEmpty)
        throw new NotSupported("TRUNCATE TABLE ... PARTITION",
          s"the mode overwrite with the option ${WriteOptions.ReplaceWhere} and no rows")
      TruncateTable(command.tableName)
    case command: AnalyzeTableCommand if ours(command.tableIdent) =>
      AnalyzeTable(command.tableIdent)
    case command: AnalyzeTablesCommand if AnalyzeTables.concerns(classicSession, command) =>
      AnalyzeTables(command)
    case command: AlterTableAddColumnsCommand if ours(command.table) =>
      AddColumns(command.table, command.colsToAdd)
    case command: DescribeTableCommand if ours(command.table) && !isView(command.table) =>
      DescribeTable(command)
    case command: RefreshTableCommand if ours(command.tableIdent) =>
      RefreshTable(command.tableIdent)
    case command: AlterTableSetPropertiesCommand if ours(command.tableName) =>
      CreateTable.checkProperties(command.properties)
      command
    case command: AlterTableSerDePropertiesCommand if ours(command.tableName) =>
      throw new NotSupported("ALTER TABLE ... SET SERDE", OfLayout)
    case command: AlterTableSetLocationCommand if ours(command.tableName) =>
      throw new NotSupported("ALTER TABLE ... SET LOCATION",
        "CREATE TABLE another_name USING colocate LOCATION '...'")
    case command: AlterTableChangeColumnCommand if ours(command.tableName) =>
      AlterColumn.check(classicSession, command)
      command
    case command: DeleteFromTable if ours(command.table) => throw refused("DELETE")
    case command: UpdateTable if ours(command.table) => throw refused("UPDATE")
    case command: MergeIntoTable if ours(command.targetTable) => throw refused("MERGE")
    case other => other
  }

  private def classicSession = session.asInstanceOf[classic.SparkSession]

  private def OfLayout = "the options of a write with the mode overwrite, by the table's path"

  private def refused(command: String) = new NotSupported(command,
    s"the mode overwrite with the option ${WriteOptions.ReplaceWhere}, or INSERT OVERWRITE")

  private def ours(target: LogicalPlan): Boolean = EliminateSubqueryAliases(target) match {
    case TableScan(_, _, _: RobustFileIndex) => true
    case _ => false
  }

  private def ours(table: CatalogTable): Boolean = CatalogCommands.isRobust(table)

  /** A temporary view hides a table of its name. */
  private def isView(name: TableIdentifier): Boolean =
    classicSession.sessionState.catalog.isTempView(name)

  private def ours(name: TableIdentifier): Boolean =
    CatalogCommands.robust(classicSession, name).nonEmpty
}
