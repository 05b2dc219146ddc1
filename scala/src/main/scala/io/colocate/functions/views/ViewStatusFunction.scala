package io.colocate.functions.views

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.changes.view.ViewStatus
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.functions.tables.NamedTable

/** `SELECT * FROM colocate_view_status('revenue')`: the sources of a view, and how far it is behind them. */
private[functions] object ViewStatusFunction
    extends ReportFunction("colocate_view_status", Seq("table"),
      "_FUNC_(view) - The sources of a maintained view, given by path or name: which version of each its rows" +
        " stand for, which is the newest, and when and how it was last refreshed.",
      new StructType()
        .add("source", StringType, nullable = false)
        .add("applied_version", LongType, nullable = false)
        .add("newest_version", LongType, nullable = true)
        .add("refreshed", TimestampType, nullable = true)
        .add("kind", StringType, nullable = true)
        .add("reason", StringType, nullable = true)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val status = new ViewStatus(session, NamedTable.log(session, arguments))
    val last = status.refreshed.map(_.info)
    status.sources.map { source =>
      Seq(source.source, source.applied, source.newest.map(Long.box).orNull,
        last.map(info => Long.box(info.time * 1000)).orNull,
        last.flatMap(_.parameters.get("kind")).orNull,
        last.flatMap(_.parameters.get("reason")).orNull)
    }
  }
}
