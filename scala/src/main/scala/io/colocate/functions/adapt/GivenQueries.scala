package io.colocate.functions.adapt

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.window.EventLog
import io.colocate.functions.call.Arguments
import io.colocate.functions.tables.PlannedQueries
import io.colocate.tables.commit.TableLog
import io.colocate.tables.queries.{AskedPredicate, AskedQuery}

/** Queries that a caller gives in place of those that are known of a table: texts, or an event log. */
private[adapt] object GivenQueries {

  /** None if neither was given. Texts are planned now, and an event log is read when it is asked for. */
  def apply(
      session: SparkSession,
      log: TableLog,
      arguments: Arguments): Option[() => Seq[AskedQuery]] = {
    val texts = PlannedQueries.texts(arguments, "queries")
    val events = arguments.text("event_log")
    if (texts.nonEmpty && events.nonEmpty) arguments.refuse("event_log", "either it or queries")
    val planned = texts.map(some => queries(session, log, some))
    planned.map(some => () => some)
      .orElse(events.map(path => () => logged(session, log, arguments, path)))
  }

  private def queries(session: SparkSession, log: TableLog, texts: Seq[String]): Seq[AskedQuery] = {
    val kept = new AskedPredicate(secret = None)
    texts.flatMap(PlannedQueries.scans(session, _, log.path.toString)).zipWithIndex.map {
      case (scan, i) =>
        AskedQuery(log.now(), scan.version, scan.conjuncts.map(c => kept(c.predicate)),
          scan.keptRows, scan.columns, count = 1, AskedQuery.Id("given", i.toLong), scan.joins)
    }
  }

  private def logged(
      session: SparkSession,
      log: TableLog,
      arguments: Arguments,
      path: String): Seq[AskedQuery] = {
    val state = session.sessionState
    val events =
      new EventLog(log.path, log.snapshot().schema, state.conf.sessionLocalTimeZone,
        state.newHadoopConf())
    try events.read(new Path(path))
    catch {
      case NonFatal(e) =>
        arguments.refuse("event_log",
          s"the path of an event log of Spark, and this one" +
            s" cannot be read: $e")
    }
  }
}
