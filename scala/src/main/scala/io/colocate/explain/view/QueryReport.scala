package io.colocate.explain.view

import org.apache.spark.sql.execution.{FileSourceScanLike, SparkPlan}

import io.colocate.explain.plan.PlanWalk
import io.colocate.report.{Finding, Findings, HasFindings, PlanReport, ReasonCodes, Shuffles, WholeQuery}

/**
 * What all capabilities reported on one query, for its plan and its subqueries together.
 *
 * @param exchanges shuffles that the plan has now
 * @param planned   the findings and counts from before the query ran, None if it was not examined
 * @param atRunTime the new findings from adaptive execution's later plannings
 * @param finished  true for a plan that adaptive execution will not change any more
 * @param others    findings on joins, then those on scans
 */
final case class QueryReport(
    exchanges: Int,
    planned: Option[PlanReport],
    atRunTime: Seq[Finding],
    finished: Boolean,
    others: Seq[Finding] = Nil) {

  /** Shuffles with and without Colocate, counted when the query was planned. */
  def plannedExchanges: Int = planned.fold(exchanges)(_.ours.count)
  def stockExchanges: Int = planned.fold(exchanges)(_.stock.count)

  /** All findings except those on parts of a place. */
  def findings: Seq[Finding] = planned.toSeq.flatMap(_.findings) ++ atRunTime ++ others

  /** The findings where Colocate did what Spark alone would not do. */
  def taken: Seq[Finding] = findings.flatMap(_.withParts).filter(_.taken)

  /** The findings that left the choice to Spark. */
  def kept: Seq[Finding] = findings.flatMap(_.withParts).filter(_.kept)
}

object QueryReport {

  def of(plan: SparkPlan): QueryReport = {
    val roots = PlanWalk.parts(plan)
    val parts = roots.map(PartReport.of)
    val nodes = roots.flatMap(PlanWalk.nodes)
    val joins = ofJoins(nodes)
    val without = WithoutRewrites.shuffles(parts)
    val inPlan = nodes.flatMap(Findings.of(_))
    val looked = parts.exists(p => p.first.nonEmpty || p.later.nonEmpty) || inPlan.nonEmpty ||
      joins.exists(_.spared.count > 0) || without.nonEmpty
    val planned = if (looked) Some(counted(parts, joins, without)) else None
    val finished = !PlanWalk.undecided(plan)
    // Counting shuffles that may still be shared requires canonical forms; the planner has counted them
    // already.
    val exchanges = planned.filter(_ => !finished).fold(PlanWalk.shuffleCount(plan))(_.ours.count)
    val atRunTime = news(planned, parts) ++ inPlan
    QueryReport(exchanges, planned, atRunTime, finished, joins ++ ofScans(nodes))
  }

  /** Findings of one capability are consecutive. */
  private def ofJoins(nodes: Seq[SparkPlan]): Seq[Finding] =
    nodes.flatMap(_.logicalLink).flatMap(Findings.of(_)).distinct
      .sortBy(finding => ReasonCodes.capabilities.indexOf(finding.capability))

  private def ofScans(nodes: Seq[SparkPlan]): Seq[Finding] = nodes.flatMap {
    case scan: FileSourceScanLike =>
      scan.relation.location match {
        case files: HasFindings => files.findings(scan)
        case _ => Nil
      }
    case _ => Nil
  }

  private def counted(
      parts: Seq[PartReport],
      joins: Seq[Finding],
      without: Option[Shuffles]): PlanReport = {
    val report = shared(parts)
    without.fold(withSpared(report, joins)) { alone =>
      val now = PlanWalk.different(parts.map(_.plan).flatMap(PlanWalk.nodes))
      report.copy(stock = alone, ours = report.ours.copy(count = now))
    }
  }

  /** Shuffles that parts share count once, and so does what was done to the side that also prunes. */
  private def shared(parts: Seq[PartReport]): PlanReport = {
    val (pruning, apart) = parts.partition(_.prunes)
    val all = PartReport.sum(apart.map(_.counted))
      .and(pruning.flatMap(_.counted.findings).distinct)
    WholeQuery.of(parts.head.plan).fold(all) { whole =>
      all.copy(stock = whole.stock, ours = whole.planned)
    }
  }

  /** Adds the shuffles that Spark alone would need for these joins. */
  private def withSpared(report: PlanReport, joins: Seq[Finding]): PlanReport =
    report.copy(stock = joins.map(_.spared).foldLeft(report.stock)(_ + _))

  /** The decisions made while the query ran that were not made before. */
  private def news(planned: Option[PlanReport], parts: Seq[PartReport]): Seq[Finding] = {
    val known = planned.toSeq.flatMap(_.findings)
    val later = parts.flatMap(_.later)
    later.flatMap(_.taken).diff(known) ++ later.flatMap(_.kept).distinct.diff(known)
  }
}
