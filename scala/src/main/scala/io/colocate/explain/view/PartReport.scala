package io.colocate.explain.view

import org.apache.spark.sql.execution.{SparkPlan, SubqueryAdaptiveBroadcastExec, SubqueryBroadcastExec}

import io.colocate.explain.plan.PlanWalk
import io.colocate.report.{PlanReport, Shuffles}

/**
 * The reports on the main query, or on one of its subqueries.
 *
 * @param plan  the part as it was before it ran
 * @param first the report on that plan
 * @param later the report that adaptive execution's last planning left, if it is a different one
 * @param prunes true if the part is broadcast for a join and also prunes the join's other side
 */
final private[explain] case class PartReport(
    plan: SparkPlan,
    first: Option[PlanReport],
    later: Option[PlanReport],
    prunes: Boolean = false) {

  /**
   * The report, always with counts. A part that was not examined, or that was examined and left before its
   * shuffles were counted, has the shuffles that Spark alone gives it, of unknown size. A part that prunes
   * was counted with its join.
   */
  def counted: PlanReport = if (prunes) PartReport.uncounted(alone) else alone

  private def alone: PlanReport = {
    val report = first.getOrElse(PlanReport.NotCounted)
    val shuffles = PlanWalk.nodes(plan).count(PlanWalk.isShuffle)
    if (report.stock.count > 0 || report.ours.count > 0 || shuffles == 0) report
    else {
      val unknown = Shuffles(shuffles, Double.NaN)
      report.copy(stock = unknown, ours = unknown)
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

  private def reports(plan: SparkPlan): Seq[PlanReport] =
    PlanWalk.nodes(plan).flatMap(PlanReport.of(_))

  /**
   * The broadcast side of a join is planned, and reported on, before the rest of the query, whose report
   * counts its shuffles too.
   */
  private def whole(reports: Seq[PlanReport]): Option[PlanReport] =
    reports.headOption.map(top => sum(top +: reports.tail.distinct.map(uncounted)))

  def sum(reports: Seq[PlanReport]): PlanReport =
    PlanReport(reports.map(_.stock).foldLeft(Shuffles.None)(_ + _),
      reports.map(_.ours).foldLeft(Shuffles.None)(_ + _),
      reports.flatMap(_.taken) ++ reports.flatMap(_.kept).distinct)

  private def uncounted(report: PlanReport): PlanReport =
    report.copy(stock = Shuffles.None, ours = Shuffles.None)
}
