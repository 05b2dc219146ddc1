package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.adapt.{Adapt, MeasuredReads}
import io.colocate.explain.view.Json
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.tables.commit.{HistoryEntry, TableLog}
import io.colocate.tables.queries.AskedQueries

/** `SELECT * FROM colocate_table_history('/data/t')`: its versions, the newest first. */
private[colocate] object TableHistoryFunction
    extends ReportFunction("colocate_table_history", Seq("table"),
      "_FUNC_(table) - The versions of a Colocate table, given by path or name: who wrote them, when," +
        " how and how much. A version that adapted the table has the share of the rows that queries had read," +
        " the share that was expected of it, and the share that was measured since.",
      new StructType()
        .add("version", LongType, nullable = false)
        .add("time", TimestampType, nullable = false)
        .add("user", StringType, nullable = false)
        .add("operation", StringType, nullable = false)
        .add("parameters", StringType, nullable = false)
        .add("metrics", StringType, nullable = false)
        .add("engine", StringType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val entries = log.history.toSeq
    val measured = readShares(session, log, entries)
    entries.map { entry =>
      val info = entry.info
      val parameters = info.parameters ++ measured.get(entry.version).map("measuredReadShare" -> _)
      Seq(entry.version, info.time * 1000, info.user, info.operation,
        Json.of(parameters.toSeq.sorted),
        Json.of(info.metrics.toSeq.sorted.map { case (k, v) => k -> v.toString }), info.engine)
    }
  }

  /** What queries have read since each version that adapted the table, beside what was expected. */
  private def readShares(
      session: SparkSession,
      log: TableLog,
      entries: Seq[HistoryEntry]): Map[Long, String] = {
    val adapted = entries.filter(_.info.operation == Adapt.Operation)
    if (adapted.isEmpty) Map.empty
    else {
      val queries = AskedQueries.of(log.path, session.sessionState.newHadoopConf()).queries
      val reads = new MeasuredReads(queries, log.snapshot().schema)
      val next = None +: adapted.map(entry => Some(entry.version))
      adapted.zip(next).flatMap { case (entry, until) =>
        reads.share(entry.version, until, entry.info.metrics.getOrElse(Adapt.Rows, 0L))
          .map(share => entry.version -> Adapt.shown(share))
      }.toMap
    }
  }
}
