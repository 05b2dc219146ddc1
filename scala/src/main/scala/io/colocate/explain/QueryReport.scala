package io.colocate.explain

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

import io.colocate.exchange.{Decline, ExchangeReport, Removal}

/** What all rooms reported on one query: its plan and its subqueries taken together.
  *
  * @param exchanges shuffles that the plan has now
  * @param planned   what the exchange planner decided before the query ran, none if it did not look
  * @param atRunTime what it decided anew when adaptive execution planned again, as far as it is new
  * @param finished  true for a plan that adaptive execution will not change any more
  */
final case class QueryReport(
    exchanges: Int,
    planned: Option[ExchangeReport],
    atRunTime: Option[ExchangeReport],
    finished: Boolean) {

  /** Shuffles with and without Colocate, counted when the query was planned. */
  def plannedExchanges: Int = planned.fold(exchanges)(_.colocateExchanges)
  def stockExchanges: Int = planned.fold(exchanges)(_.stockExchanges)

  def removals: Seq[Removal] = (planned.toSeq ++ atRunTime).flatMap(_.removals)
  def declines: Seq[Decline] = (planned.toSeq ++ atRunTime).flatMap(_.declines)
}

object QueryReport {

  def of(plan: SparkPlan): QueryReport = {
    val parts = PlanWalk.parts(plan).map(Part(_))
    val planned = if (parts.exists(_.first.nonEmpty)) Some(sum(parts)) else None
    QueryReport(
      PlanWalk.shuffleCount(plan),
      planned,
      news(planned, parts),
      finished = !PlanWalk.undecided(plan))
  }

  /** One plan or subquery with its first and its present report. */
  private case class Part(
      root: SparkPlan,
      first: Option[ExchangeReport],
      present: Option[ExchangeReport])

  private object Part {
    def apply(root: SparkPlan): Part = PlanWalk.adaptive(root) match {
      case Some(adaptive) =>
        val present = topmost(adaptive.executedPlan)
        Part(root, beforeRun(adaptive).orElse(topmost(root)), present)
      case None =>
        val report = topmost(root)
        Part(root, report, report)
    }

    private def beforeRun(adaptive: AdaptiveSparkPlanExec): Option[ExchangeReport] =
      Seq(adaptive.initialPlan, adaptive.inputPlan).iterator
        .filter(_ != null)
        .map(topmost)
        .collectFirst { case Some(report) => report }

    /** The report nearest to the root: what planned the root planned all below it. */
    private def topmost(plan: SparkPlan): Option[ExchangeReport] =
      PlanWalk.nodes(plan).iterator.map(ExchangeReport.of).collectFirst { case Some(r) => r }
  }

  /** A part that nobody reported on has the shuffles that Spark alone would give it. */
  private def sum(parts: Seq[Part]): ExchangeReport = {
    val reports = parts.map { part =>
      part.first.getOrElse {
        val count = PlanWalk.nodes(part.root).count(PlanWalk.isShuffle)
        ExchangeReport(count, count, 0, 0, Nil, Nil)
      }
    }
    ExchangeReport(
      reports.map(_.stockExchanges).sum,
      reports.map(_.colocateExchanges).sum,
      reports.map(_.stockBytes).sum,
      reports.map(_.colocateBytes).sum,
      reports.flatMap(_.removals),
      reports.flatMap(_.declines))
  }

  private def news(planned: Option[ExchangeReport], parts: Seq[Part]): Option[ExchangeReport] = {
    val later = parts.filter(part => !same(part.first, part.present)).flatMap(_.present)
    val removals = later.flatMap(_.removals).diff(planned.toSeq.flatMap(_.removals))
    val declines = later.flatMap(_.declines).diff(planned.toSeq.flatMap(_.declines))
    if (removals.isEmpty && declines.isEmpty) None
    else Some(later.last.copy(removals = removals, declines = declines))
  }

  private def same(first: Option[ExchangeReport], present: Option[ExchangeReport]): Boolean =
    present.forall(report => first.exists(_ eq report))
}
