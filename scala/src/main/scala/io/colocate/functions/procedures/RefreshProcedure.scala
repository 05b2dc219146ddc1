package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.changes.view.Refresh
import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.functions.tables.NamedTable

/** `CALL colocate.refresh('revenue')` */
private[procedures] object RefreshProcedure
    extends Procedure("refresh",
      Seq(NamedTable.Argument,
        Parameter("policy", StringType, Some("NULL"),
          "another one than the view's, for this time")),
      "Brings a maintained view up to date. The kind is none, incremental or full; with full, the reason says why" +
        " all rows were computed anew.",
      new StructType()
        .add("kind", StringType, nullable = false)
        .add("version", LongType, nullable = false)
        .add("rows", LongType, nullable = false)
        .add("reason", StringType, nullable = true)) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val done = new Refresh(session, log)(arguments.text("policy"))
    val reason = Option.when(done.reasons.nonEmpty)(done.reasons.map(_.toString).mkString("; "))
    Seq(Seq(done.kind, done.version, done.rows, reason.orNull))
  }
}
