package io.colocate.tables.sql

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.analysis.UnresolvedTable
import org.apache.spark.sql.catalyst.plans.logical.{AddColumns => SparkAddColumns, LogicalPlan}
import org.apache.spark.sql.execution.datasources.{CreateTable => SparkCreateTable}

import io.colocate.rule.PlanRule
import io.colocate.tables.format.NotSupported

/**
 * Refuses column clauses that cannot be kept: the position of a new column, as new columns come last,
 * and a default in CREATE TABLE, which Spark allows only for its own formats.
 *
 * Spark drops a position when it resolves the command, so the rule runs before that, among the hint
 * rules. It runs once more afterwards, as the format of a new table is known only then.
 */
final case class ColumnClauses(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan match {
      case command: SparkAddColumns if command.columnsToAdd.exists(_.position.nonEmpty) =>
        command.child match {
          case table: UnresolvedTable if isRobust(table.multipartIdentifier) =>
            throw new NotSupported("ADD COLUMNS with FIRST or AFTER",
              "ADD COLUMNS without a place, and a SELECT that names the columns in any order")
          case _ =>
        }
      case SparkCreateTable(table, _, None)
          if CatalogCommands.isRobust(table) &&
            table.schema.exists(_.getCurrentDefaultValue().nonEmpty) =>
        throw new NotSupported("DEFAULT in CREATE TABLE",
          "ALTER TABLE ... ADD COLUMNS (... DEFAULT ...) once the table is made")
      case _ =>
    }
    plan
  }

  private def isRobust(name: Seq[String]): Boolean =
    CatalogCommands.robust(session.asInstanceOf[classic.SparkSession], name).nonEmpty
}
