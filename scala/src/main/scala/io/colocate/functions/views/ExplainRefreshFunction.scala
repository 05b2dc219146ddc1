package io.colocate.functions.views

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.changes.view.ViewStatus
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.functions.tables.NamedTable

/** `SELECT * FROM colocate_explain_refresh('revenue')`: how each operator of a view is maintained. */
private[functions] object ExplainRefreshFunction
    extends ReportFunction("colocate_explain_refresh", Seq("table"),
      "_FUNC_(view) - How a refresh brings each operator of a maintained view up to date, or why it must be" +
        " computed anew. The first row is of the view, the others of its operators, the top first.",
      new StructType()
        .add("operator", StringType, nullable = false)
        .add("how", StringType, nullable = true)
        .add("reason", StringType, nullable = true)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val status = new ViewStatus(session, NamedTable.log(session, arguments))
    val blocked = Option(status.blocked).filter(_.nonEmpty).map(_.mkString("; "))
    val whole =
      Seq("view", if (blocked.isEmpty) "incremental" else "full", blocked.orNull)
    whole +: status.operators.map(verdict =>
      Seq(verdict.operator, verdict.how.orNull, verdict.reason.map(_.toString).orNull))
  }
}
