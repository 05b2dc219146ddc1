package io.colocate.explain

import java.lang.ref.SoftReference
import java.util.{LinkedHashMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.plans.logical.{CommandResult, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.command.ExecutedCommandExec
import org.apache.spark.sql.execution.datasources.v2.LeafV2CommandExec

import io.colocate.explain.plan.{PlanPicture, PlanWalk}
import io.colocate.explain.view.{BeforeAfterText, QueryReport, ReportText}
import io.colocate.rule.ColocateConf

/**
 * One query that ran in a session.
 *
 * @param exchanges      shuffles that Colocate planned
 * @param stockExchanges shuffles that Spark alone would have planned
 * @param report         the section of explain(), then the last version of the plan
 */
final case class PlanRecord(
    executionId: Long,
    description: String,
    exchanges: Int,
    stockExchanges: Int,
    report: String)

/**
 * What the driver remembers of the queries of each session. Spark asks the explain provider for its text,
 * on the thread that runs the query, when the query starts and each time adaptive execution has changed the
 * plan, so the last text is that of the final plan. No listener has to be registered and no entry arrives
 * late. Only strings and counts are kept. A plan is kept only while its query runs and, after a failure,
 * until the history is read, the next query runs, or memory runs short. The history of a session is dropped
 * with the session.
 */
object PlanHistory {

  /**
   * Marks the result of one of Colocate's functions, so that asking about queries is not remembered as a
   * query.
   */
  private[colocate] val Answer = TreeNodeTag[String]("colocate.explain.answer")

  private val sessions = new WeakHashMap[SparkSession, LinkedHashMap[Long, Entry]]

  sealed private trait Entry
  private case class Ended(record: PlanRecord) extends Entry

  /** Writing down a plan is expensive, so it is done only once: for the final plan, if there is one. */
  private case class Begun(execution: SoftReference[QueryExecution], description: String)
      extends Entry

  /** The newest `count` queries of a session that have ended, newest first. */
  def recent(session: SparkSession, count: Int): Seq[PlanRecord] = {
    writeFailed(session)
    val ended = entries(session).collect {
      case (_, Ended(record)) if !running(record.executionId) => record
    }
    ended.sortBy(-_.executionId).take(count)
  }

  private def entries(session: SparkSession): Seq[(Long, Entry)] = synchronized {
    Option(sessions.get(session)).toSeq.flatMap(_.asScala)
  }

  /** Remembers a plan if it is that of the query that runs on this thread. */
  private[explain] def note(plan: SparkPlan, report: => QueryReport): Unit =
    for (id <- executionId(plan); execution <- execution(id, plan)) {
      val capacity = ColocateConf.ExplainHistory(plan.conf)
      val session = execution.sparkSession
      // No plan between the first and the final one is worth the cost of writing it down.
      val due = !PlanWalk.undecided(plan) || !known(session, id)
      if (capacity > 0 && due && worthNoting(execution)) {
        val description = describe(execution)
        val entry =
          if (PlanWalk.undecided(plan)) Begun(new SoftReference(execution), description)
          else Ended(record(id, execution, description, report))
        put(session, id, entry, capacity)
      }
    }

  private def known(session: SparkSession, id: Long): Boolean = synchronized {
    Option(sessions.get(session)).exists(_.containsKey(id))
  }

  /** Writes down queries that ended without a final plan, outside the lock because it takes too long. */
  private def writeFailed(session: SparkSession): Unit =
    entries(session).foreach {
      case (id, begun: Begun) if !running(id) =>
        val written = Ended(failed(id, begun))
        synchronized(Option(sessions.get(session)).foreach(_.replace(id, begun, written)))
      case _ =>
    }

  private def failed(id: Long, begun: Begun): PlanRecord =
    Option(begun.execution.get).fold(PlanRecord(id, begun.description, 0, 0, Forgotten)) {
      execution =>
        record(id, execution, begun.description, QueryReport.of(execution.executedPlan))
    }

  private val Forgotten =
    "The query ended without a final plan, and what it had was given up when memory ran short."

  private def executionId(plan: SparkPlan): Option[Long] =
    Option(plan.session).flatMap { session =>
      Option(session.sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))
        .flatMap(_.toLongOption)
    }

  /** EXPLAIN runs as a query of its own while it writes the plan of another query. */
  private def execution(id: Long, plan: SparkPlan): Option[QueryExecution] =
    Option(SQLExecution.getQueryExecution(id)).filter(_.executedPlan eq plan)

  private def running(id: Long): Boolean = SQLExecution.getQueryExecution(id) != null

  /**
   * False for a command without a query, for a command's result, and for the results of Colocate's own
   * functions.
   */
  private def worthNoting(execution: QueryExecution): Boolean = execution.executedPlan match {
    case _: ExecutedCommandExec | _: LeafV2CommandExec => false
    case _ =>
      val query = execution.commandExecuted
      !query.collectLeaves().forall(_.isInstanceOf[CommandResult]) &&
      !query.exists(_.getTagValue(Answer).nonEmpty)
  }

  private def put(session: SparkSession, id: Long, entry: Entry, capacity: Int): Unit = {
    writeFailed(session)
    synchronized {
      val entries = sessions.computeIfAbsent(session, _ => new LinkedHashMap[Long, Entry])
      entries.put(id, entry)
      val oldest = entries.keySet.iterator
      while (entries.size > capacity) {
        oldest.next()
        oldest.remove()
      }
    }
  }

  private def record(
      id: Long,
      execution: QueryExecution,
      description: String,
      report: QueryReport): PlanRecord =
    PlanRecord(id, description, report.plannedExchanges, report.stockExchanges,
      text(execution, report))

  private def text(execution: QueryExecution, report: QueryReport): String = {
    val state = if (report.finished) "plan" else "plan as it last was"
    val plan = BeforeAfterText.plan(PlanPicture.of(execution.executedPlan))
    val whole = s"${ReportText.section(report)}\n\n$state:\n$plan"
    cut(redact(execution, whole), MaxReport)
  }

  private val MaxReport = 200000
  private val MaxDescription = 200

  /** The job's description, else the SQL text, else the topmost operators. */
  private def describe(execution: QueryExecution): String = {
    val text = job(execution.sparkSession)
      .orElse(sql(execution.logical))
      .getOrElse(operators(execution.logical))
    cut(redact(execution, text.replaceAll("\\s+", " ").trim), MaxDescription)
  }

  /** The job's description, except the one that a Connect server sets for its own protocol. */
  private def job(session: SparkSession): Option[String] =
    Option(session.sparkContext.getLocalProperty("spark.job.description"))
      .filterNot(_.startsWith("Spark Connect - "))

  private def sql(plan: LogicalPlan): Option[String] =
    plan.collectFirst { case node if node.origin.sqlText.nonEmpty => node.origin.sqlText.get }

  private def operators(plan: LogicalPlan): String =
    plan.collect { case node => node.nodeName }.take(4).mkString("DataFrame: ", " < ", "")

  private def redact(execution: QueryExecution, text: String): String =
    execution.sparkSession.sessionState.conf.stringRedactionPattern
      .fold(text)(_.replaceAllIn(text, "*********(redacted)"))

  private def cut(text: String, length: Int): String =
    if (text.length <= length) text else text.take(length - 3) + "..."
}
