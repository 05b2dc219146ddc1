package io.colocate.explain.view

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.{Shuffles, WholeQuery}
import io.colocate.exchange.memory.{Decline, ExchangeReport, Removal}
import io.colocate.explain.plan.PlanWalk
import io.colocate.hyperjoin.plan.HyperJoinReport
import io.colocate.multiway.graph.MultiwayReport
import io.colocate.tables.scan.PrunedScan

/**
 * What all rooms reported on one query: its plan and its subqueries taken together.
 *
 * @param exchanges shuffles that the plan has now
 * @param planned   what the exchange planner decided before the query ran, none if it did not look
 * @param atRunTime what it decided anew when adaptive execution planned again, as far as it is new
 * @param finished  true for a plan that adaptive execution will not change any more
 * @param scans     of robust tables, with what each leaves out
 * @param hyperJoins joins of robust tables, with what became of each
 * @param multiway  joins that form a cycle, with what became of each
 */
final case class QueryReport(
    exchanges: Int,
    planned: Option[ExchangeReport],
    atRunTime: Option[ExchangeReport],
    finished: Boolean,
    scans: Seq[PrunedScan] = Nil,
    hyperJoins: Seq[HyperJoinReport] = Nil,
    multiway: Seq[MultiwayReport] = Nil) {

  /** Shuffles with and without Colocate, counted when the query was planned. */
  def plannedExchanges: Int = planned.fold(exchanges)(_.colocateExchanges)
  def stockExchanges: Int = planned.fold(exchanges)(_.stockExchanges)

  def removals: Seq[Removal] = (planned.toSeq ++ atRunTime).flatMap(_.removals)
  def declines: Seq[Decline] = (planned.toSeq ++ atRunTime).flatMap(_.declines)
}

object QueryReport {

  def of(plan: SparkPlan): QueryReport = {
    val roots = PlanWalk.parts(plan)
    val parts = roots.map(PartReport.of)
    val hyperJoins = JoinLines.hyperJoins(roots)
    val without = WithoutMultiway.shuffles(parts)
    val looked = parts.exists(p => p.first.nonEmpty || p.later.nonEmpty) ||
      hyperJoins.exists(_.chosen) || without.nonEmpty
    val planned = if (looked) Some(counted(parts, hyperJoins, without)) else None
    val finished = !PlanWalk.undecided(plan)
    // To count shuffles that may yet be shared takes canonical forms; the planner has done that.
    val exchanges = planned.filter(_ => !finished)
      .fold(PlanWalk.shuffleCount(plan))(_.colocateExchanges)
    QueryReport(exchanges, planned, news(planned, parts), finished, ScanLines.scans(roots),
      hyperJoins, JoinLines.multiway(roots))
  }

  private def counted(
      parts: Seq[PartReport],
      hyperJoins: Seq[HyperJoinReport],
      without: Option[Shuffles]): ExchangeReport = {
    val report = shared(parts)
    without.fold(saved(report, hyperJoins)) { alone =>
      val now = PlanWalk.different(parts.map(_.plan).flatMap(PlanWalk.nodes))
      report.copy(stockExchanges = alone.count, colocateExchanges = now, stockBytes = alone.bytes)
    }
  }

  /** What parts share is counted once. */
  private def shared(parts: Seq[PartReport]): ExchangeReport = {
    val all = PartReport.sum(parts.map(_.counted))
    WholeQuery.of(parts.head.plan).fold(all) { whole =>
      val ours = if (whole.isWorse) whole.stock else whole.ours
      all.copy(stockExchanges = whole.stock.count, colocateExchanges = ours.count,
        stockBytes = whole.stock.bytes, colocateBytes = ours.bytes)
    }
  }

  /** Spark alone would shuffle more for these joins. */
  private def saved(report: ExchangeReport, joins: Seq[HyperJoinReport]): ExchangeReport = {
    val chosen = joins.filter(_.chosen)
    report.copy(stockExchanges = report.stockExchanges + chosen.map(_.spared).sum,
      stockBytes = report.stockBytes + chosen.map(_.moved).sum)
  }

  /** What was decided while the query ran, as far as it was not decided before. */
  private def news(
      planned: Option[ExchangeReport],
      parts: Seq[PartReport]): Option[ExchangeReport] = {
    val later = parts.flatMap(_.later)
    val removals = later.flatMap(_.removals).diff(planned.toSeq.flatMap(_.removals))
    val declines = later.flatMap(_.declines).distinct.diff(planned.toSeq.flatMap(_.declines))
    if (removals.isEmpty && declines.isEmpty) None
    else Some(later.last.copy(removals = removals, declines = declines))
  }
}
