package io.colocate.functions.views

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.changes.view.ViewStatus
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.functions.tables.NamedTable

/** `SELECT * FROM colocate_view_definition('revenue')`: what a view was made of. */
private[functions] object ViewDefinitionFunction
    extends ReportFunction("colocate_view_definition", Seq("table"),
      "_FUNC_(view) - The query of a maintained view, given by path or name, and its policy.",
      new StructType()
        .add("query", StringType, nullable = false)
        .add("policy", StringType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val status = new ViewStatus(session, NamedTable.log(session, arguments))
    Seq(Seq(status.query, status.policy))
  }
}
