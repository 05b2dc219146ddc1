package io.colocate.explain.view

import org.apache.spark.sql.execution.{SparkPlan, SubqueryAdaptiveBroadcastExec, SubqueryBroadcastExec}

import io.colocate.exchange.memory.ExchangeReport
import io.colocate.explain.plan.PlanWalk

/**
 * What was reported on the main query, or on one of its subqueries.
 *
 * @param plan  the part as it was before it ran
 * @param first the report on that plan
 * @param later the report that adaptive execution's last planning left, where it is another one
 * @param prunes true of what is broadcast for a join and prunes its other side, too
 */
final private[explain] case class PartReport(
    plan: SparkPlan,
    first: Option[ExchangeReport],
    later: Option[ExchangeReport],
    prunes: Boolean = false) {

  /**
   * The report with counts in any case. A part that nobody looked at, or that was looked at and left
   * before anything was counted, has the shuffles that Spark alone gives it, of unknown size. What
   * prunes was counted with its join.
   */
  def counted: ExchangeReport = if (prunes) PartReport.uncounted(alone) else alone

  private def alone: ExchangeReport = {
    val report = first.getOrElse(ExchangeReport.Empty)
    val shuffles = PlanWalk.nodes(plan).count(PlanWalk.isShuffle)
    if (report.stockExchanges > 0 || report.colocateExchanges > 0 || shuffles == 0) report
    else {
      report.copy(stockExchanges = shuffles, colocateExchanges = shuffles, stockBytes = Double.NaN,
        colocateBytes = Double.NaN)
    }
  }
}

private[explain] object PartReport {

  def of(root: SparkPlan): PartReport = PlanWalk.adaptive(root) match {
    case Some(adaptive) =>
      val plans = Seq(adaptive.initialPlan, adaptive.inputPlan, root).filter(_ != null)
      val plan = plans.find(reports(_).nonEmpty).getOrElse(plans.head)
      val first = whole(reports(plan))
      val now = reports(adaptive.executedPlan).headOption
      PartReport(plan, first, now.filterNot(reports(plan).headOption.contains), prunes(root))
    case None =>
      PartReport(root, whole(reports(root)), None, prunes(root))
  }

  private def prunes(root: SparkPlan): Boolean = root match {
    case _: SubqueryBroadcastExec | _: SubqueryAdaptiveBroadcastExec => true
    case _ => false
  }

  private def reports(plan: SparkPlan): Seq[ExchangeReport] =
    PlanWalk.nodes(plan).flatMap(ExchangeReport.of(_))

  /**
   * The side of a join that is broadcast is planned, and reported on, before the rest of the query,
   * whose report counts its shuffles too.
   */
  private def whole(reports: Seq[ExchangeReport]): Option[ExchangeReport] =
    reports.headOption.map { top =>
      val sides = reports.tail.distinct.map { side =>
        uncounted(side).copy(declines = side.declines.diff(top.declines))
      }
      sum(top +: sides)
    }

  def sum(reports: Seq[ExchangeReport]): ExchangeReport = ExchangeReport(
    reports.map(_.stockExchanges).sum, reports.map(_.colocateExchanges).sum,
    reports.map(_.stockBytes).sum, reports.map(_.colocateBytes).sum, reports.flatMap(_.removals),
    reports.flatMap(_.declines).distinct, reports.flatMap(_.narrowed))

  private def uncounted(report: ExchangeReport): ExchangeReport =
    report.copy(stockExchanges = 0, colocateExchanges = 0, stockBytes = 0, colocateBytes = 0)
}
