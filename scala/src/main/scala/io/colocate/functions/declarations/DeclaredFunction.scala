package io.colocate.functions.declarations

import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT * FROM colocate_declared('orders')` */
private[colocate] object DeclaredFunction
    extends ReportFunction("colocate_declared", Seq("table"),
      "_FUNC_(table) - The keys and dependencies that are declared of a table, in its definition, in its" +
        " property or in the session, and why one is not used.", DeclaredTable.schema) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val kept = DeclaredTable.kept(session, arguments)
    DeclaredTable.rows(session, kept.target.read, kept.all)
  }
}
