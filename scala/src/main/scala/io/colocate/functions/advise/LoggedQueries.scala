package io.colocate.functions.advise

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.JsonNode
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.CommandExecutionMode
import org.apache.spark.sql.internal.SQLConf

import io.colocate.adapt.window.EventLogFiles
import io.colocate.functions.call.StatementKind

/**
 * What an event log tells of a query.
 *
 * @param text    its SQL; where the log has none, what the log has in its place
 * @param runs    how often it began; a part of a run, such as the query of a CREATE TABLE AS, is none of its own
 * @param leftOut why this session cannot plan it
 */
final private[advise] case class LoggedQuery(text: String, runs: Long, leftOut: Option[String])

/**
 * The queries of an event log. Spark notes the SQL of statements that spark-sql and the Thrift server run, and
 * Spark Connect that of `spark.sql`. Of `spark.sql` in a classic session it notes where it was called.
 */
final private[advise] class LoggedQueries(session: SparkSession) {
  import LoggedQueries._

  /** Those that ran most come first. */
  def of(log: Path): Seq[LoggedQuery] = {
    val sent = mutable.Map.empty[String, String]
    val runs = mutable.Map.empty[String, Long].withDefaultValue(0L)
    new EventLogFiles(session.sessionState.newHadoopConf()).each(log, Started, Asked) { event =>
      if (event.path("Event").asText.endsWith(Asked)) {
        ConnectQuery.of(event.path("statementText").asText)
          .foreach(sent(event.path("jobTag").asText) = _)
      } else if (isWhole(event)) runs(text(event, sent)) += 1
    }
    runs.toSeq.sortBy { case (text, runs) => (-runs, text) }
      .map { case (text, runs) => LoggedQuery(text, runs, leftOut(text)) }
  }

  private def text(run: JsonNode, sent: collection.Map[String, String]): String =
    run.path("jobTags").elements.asScala.flatMap(tag => sent.get(tag.asText)).nextOption()
      .getOrElse(run.path("description").asText).trim

  private def leftOut(text: String): Option[String] =
    if (text.contains(Redacted)) Some("a part of the text is redacted")
    else
      parsed(text).fold[Option[String]](Some("the log has no SQL text that Spark can read")) {
        statement =>
          if (StatementKind.of(statement) == StatementKind.Query) unplanned(statement)
          else Some("it is a statement that is no query")
      }

  private def parsed(text: String): Option[LogicalPlan] =
    try Some(session.sessionState.sqlParser.parsePlan(text))
    catch { case NonFatal(_) => None }

  /** The log does not tell the database and the temporary views of its sessions. */
  private def unplanned(query: LogicalPlan): Option[String] =
    try
      SQLConf.withExistingConf(session.sessionState.conf) {
        session.sessionState.executePlan(query, CommandExecutionMode.SKIP).assertOptimized()
        None
      }
    catch {
      case NonFatal(e) =>
        val said = Option(e.getMessage).flatMap(_.linesIterator.find(_.trim.nonEmpty))
        Some(s"Spark cannot plan it here: ${said.getOrElse(e.toString).stripSuffix(".")}")
    }
}

private object LoggedQueries {

  private val Started = "SparkListenerSQLExecutionStart"
  private val Asked = "SparkListenerConnectOperationStarted"
  private val Redacted = "*********(redacted)"

  private def isWhole(run: JsonNode): Boolean = {
    val root = run.path("rootExecutionId")
    root.isMissingNode || root.isNull || root.asLong == run.path("executionId").asLong
  }
}
