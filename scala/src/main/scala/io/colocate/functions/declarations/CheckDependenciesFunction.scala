package io.colocate.functions.declarations

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.claims.declared.CheckedTables
import io.colocate.explain.plan.WithoutActing
import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_check_dependencies('SELECT ...')` */
private[colocate] object CheckDependenciesFunction
    extends TableFunction("colocate_check_dependencies", Seq("query"),
      "_FUNC_(query) - Reads the tables of a query, and returns what is declared of them. An error" +
        " COLOCATE_DEPENDENCY_VIOLATED names the first key for which it is not true.",
      DeclaredTable.schema) {

  /** The tables are read when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val query = WithoutActing(session.sessionState.sqlParser
        .parsePlan(arguments.required("query", "the text of a query")))
    RowsLater(output,
      () =>
        TableFunction.internal(CheckedTables(session, query).flatMap { case (read, stated) =>
          DeclaredTable.rows(session, read, stated)
        }))
  }
}
