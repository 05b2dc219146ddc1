package io.colocate.functions.call

import org.apache.spark.sql.catalyst.analysis.LocalTempView
import org.apache.spark.sql.catalyst.plans.logical.{Command, LogicalPlan, ParsedStatement}
import org.apache.spark.sql.execution.command.{CreateViewCommand, ResetCommand, SetCommand}
import org.apache.spark.sql.execution.datasources.CreateTempViewUsing

/** What a parsed statement does: a query, a preparation (it changes the session alone), or other. */
private[functions] object StatementKind {

  val Query = "query"

  def of(statement: LogicalPlan): String =
    statement match {
      case _: SetCommand | _: ResetCommand | _: CreateTempViewUsing => "preparation"
      case view: CreateViewCommand if view.viewType == LocalTempView => "preparation"
      case _ if statement.exists(changes) => "other"
      case _ => Query
    }

  private def changes(plan: LogicalPlan): Boolean = plan match {
    case _: Command | _: ParsedStatement => true
    case _ => false
  }
}
