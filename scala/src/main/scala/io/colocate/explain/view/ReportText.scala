package io.colocate.explain.view

import io.colocate.exchange.memory.{Decline, ExchangeReport, Removal}
import io.colocate.report.{Bytes, Reason}
import io.colocate.rule.ColocateConf

/** A report as lines: one of summary, then one for each removal and each decline. */
object ReportText {

  val switchedOff: String = s"switched off (${ColocateConf.Enabled.key} is false)"

  /** The section of explain(). */
  def section(report: QueryReport): String =
    (summary(report) +: reasons(report)).mkString("\n")

  /** "exchanges: 3 (Spark alone: 5), estimated shuffle 12.3 MiB (Spark alone: 20.1 MiB)" */
  def summary(report: QueryReport): String = report.planned match {
    case None => s"exchanges: ${report.exchanges}, all by Spark alone"
    case Some(planned) =>
      val atRunTime =
        if (report.exchanges == planned.colocateExchanges) ""
        else s"planned ${planned.colocateExchanges}; "
      s"exchanges: ${report.exchanges} (${atRunTime}Spark alone: ${planned.stockExchanges})" +
        bytes(planned)
  }

  /** The estimated sizes, empty where none are known. */
  def bytes(report: ExchangeReport): String = {
    val (with_, without) = (report.colocateBytes, report.stockBytes)
    if (!Bytes.known(with_) || !Bytes.known(without) || without == 0) ""
    else s", estimated shuffle ${Bytes.text(with_)} (Spark alone: ${Bytes.text(without)})"
  }

  def reasons(report: QueryReport): Seq[String] = {
    val planned = report.planned.toSeq.flatMap(lines)
    val atRunTime = report.atRunTime.toSeq.flatMap(lines).map("at run time, " + _)
    planned ++ atRunTime ++ JoinLines.lines(report.hyperJoins, report.multiway) ++
      report.scans.flatMap(ScanLines.lines)
  }

  private def lines(report: ExchangeReport): Seq[String] =
    (report.removals.map(removal) ++ report.declines.map(decline)).distinct

  /** "removed: SortMergeJoin (a, b) is served by (a) [SUBSET_KEYS: ...] [SMALL_EDGE: ...]" */
  def removal(removal: Removal): String = {
    val served = if (removal.keys.isEmpty) "" else s" is served by ${keys(removal.keys)}"
    s"removed: ${need(removal.operator, removal.required)}$served" +
      removal.reasons.map(" " + reason(_)).mkString
  }

  /** "kept: HashAggregate (a, b) [UNKNOWN_SIZE: ...]" */
  def decline(decline: Decline): String =
    s"kept: ${need(decline.operator, decline.required)} ${reason(decline.reason)}"

  private def need(operator: String, required: Seq[String]): String =
    if (required.isEmpty) operator else s"$operator ${keys(required)}"

  def keys(names: Seq[String]): String = names.mkString("(", ", ", ")")

  private def reason(reason: Reason): String = s"[${reason.code.name}: ${reason.sentence}]"
}
