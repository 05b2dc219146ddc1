package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.explain.view.Json
import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT * FROM colocate_table_history('/data/t')`: its versions, the newest first. */
private[colocate] object TableHistoryFunction
    extends ReportFunction("colocate_table_history", Seq("table"),
      "_FUNC_(table) - The versions of a Colocate table, given by path or name: who wrote them, when," +
        " how and how much.",
      new StructType()
        .add("version", LongType, nullable = false)
        .add("time", TimestampType, nullable = false)
        .add("user", StringType, nullable = false)
        .add("operation", StringType, nullable = false)
        .add("parameters", StringType, nullable = false)
        .add("metrics", StringType, nullable = false)
        .add("engine", StringType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] =
    NamedTable.log(session, arguments).history.map { entry =>
      val info = entry.info
      Seq(entry.version, info.time * 1000, info.user, info.operation,
        Json.of(info.parameters.toSeq.sorted),
        Json.of(info.metrics.toSeq.sorted.map { case (k, v) => k -> v.toString }), info.engine)
    }.toSeq
}
