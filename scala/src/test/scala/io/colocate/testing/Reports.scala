package io.colocate.testing

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

import io.colocate.explain.view.QueryReport
import io.colocate.report.{Findings, PlanReport, ReasonCode}

/** The exchange planner's reports on the nodes of a plan, subqueries and adaptive plans included. */
object Reports {

  def of(plan: SparkPlan): Seq[PlanReport] = Exchanges.nodes(plan).flatMap {
    case adaptive: AdaptiveSparkPlanExec =>
      PlanReport.of(adaptive).toSeq ++ adaptive.initialPlan.flatMap(PlanReport.of(_))
    case other => PlanReport.of(other)
  }.distinct

  /** What explain() says: the shuffles of Spark alone, and those that are planned. */
  def said(plan: SparkPlan): (Int, Int) = {
    val report = QueryReport.of(plan)
    (report.stockExchanges, report.plannedExchanges)
  }

  def of(run: Executed): Seq[PlanReport] = run.plan.toSeq.flatMap(of)

  /** The codes of everything that was declined. */
  def declines(run: Executed): Set[ReasonCode] =
    of(run).flatMap(_.kept).map(_.reason.code).toSet

  /** The codes of every fact and every piece of evidence that a removal rests on. */
  def reasons(run: Executed): Set[ReasonCode] =
    (of(run).flatMap(_.taken) ++ run.plan.toSeq.flatMap(Exchanges.nodes).flatMap(Findings.of(_)))
      .flatMap(_.reasons).map(_.code).toSet
}
