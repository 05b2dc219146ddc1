package io.colocate.explain.view

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.explain.plan.{PlanAlignment, PlanLines, PlanPicture, PlanWalk, Row, WithoutActing}
import io.colocate.rule.{ColocateConf, SparkAlone}

/** One of the two plans: its number of shuffles, and its operators as strings. */
final private[explain] case class PlanSide(exchanges: Int, parts: Seq[PlanPicture])

private[explain] object PlanSide {
  def of(plan: SparkPlan): PlanSide =
    PlanSide(PlanWalk.shuffleCount(plan), PlanPicture.of(plan))
}

/**
 * One query planned twice, by Spark alone and with the settings of the session. Nothing is executed, not
 * even a command. Under adaptive execution both plans are the initial ones.
 *
 * @param enabled false if the session has Colocate switched off, so that both plans are Spark's
 */
final case class BeforeAfter private[explain] (
    private[explain] val stock: PlanSide,
    private[explain] val colocate: PlanSide,
    report: QueryReport,
    enabled: Boolean) {

  /** The first line of every view. The counts are those of the two plans shown. */
  def summary: String = {
    val bytes = report.planned.fold("")(ReportText.bytes)
    val counts = s"exchanges: ${colocate.exchanges} (Spark alone: ${stock.exchanges})$bytes"
    if (enabled) counts else s"$counts; ${ReportText.switchedOff}"
  }

  private[explain] def rows: Seq[Row] =
    PlanAlignment.rows(PlanLines.of(stock.parts), PlanLines.of(colocate.parts))
}

object BeforeAfter {

  /** A text that cannot be parsed or analysed raises Spark's own error. */
  def of(session: SparkSession, query: String): BeforeAfter =
    of(session, session.sessionState.sqlParser.parsePlan(query))

  def of(session: SparkSession, query: LogicalPlan): BeforeAfter = {
    val mine = plan(session, query)
    val stock = plan(SparkAlone.like(session), mine.analyzed)
    BeforeAfter(PlanSide.of(stock.executedPlan), PlanSide.of(mine.executedPlan),
      QueryReport.of(mine.executedPlan), ColocateConf.Enabled(session.sessionState.conf))
  }

  /**
   * The plan of a query that is never run. The settings are passed explicitly, because a table function is
   * called by an analyser that has pinned those of its own session to the thread.
   */
  private[colocate] def plan(session: SparkSession, query: LogicalPlan): QueryExecution = {
    val execution =
      session.sessionState.executePlan(WithoutActing(query), CommandExecutionMode.SKIP)
    SQLConf.withExistingConf(session.sessionState.conf) {
      execution.assertAnalyzed()
      execution.executedPlan
    }
    execution
  }
}
