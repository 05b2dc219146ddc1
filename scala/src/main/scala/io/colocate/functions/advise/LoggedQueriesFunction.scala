package io.colocate.functions.advise

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{LongType, StringType, StructType}

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_logged_queries('/spark-events/app-1')` */
private[colocate] object LoggedQueriesFunction
    extends TableFunction("colocate_logged_queries", Seq("event_log"),
      "_FUNC_(event_log) - The queries of an event log of Spark, which is a file, the folder of a rolling log or a" +
        " folder of logs, with the number of their runs, the most first. left_out says why this session cannot" +
        " plan one; query is then what the log has of it. It is NULL for queries that can be planned.",
      new StructType()
        .add("query", StringType, nullable = false)
        .add("runs", LongType, nullable = false)
        .add("left_out", StringType)) {

  private val Accepted = "the path of an event log of Spark"

  /** The log is read when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val path = arguments.required("event_log", Accepted)
    RowsLater(output, () => TableFunction.internal(rows(session, arguments, path)))
  }

  private def rows(session: SparkSession, arguments: Arguments, path: String): Seq[Seq[Any]] = {
    val found =
      try new LoggedQueries(session).of(new Path(path))
      catch {
        case NonFatal(e) =>
          arguments.refuse("event_log", s"$Accepted, and this one cannot be read: $e")
      }
    found.map(query => Seq(query.text, query.runs, query.leftOut.orNull))
  }
}
