package io.colocate.explain.view

import scala.collection.mutable

import io.colocate.report.{Bytes, Finding, PlanReport}
import io.colocate.rule.ColocateConf

/** A report as lines: a summary, then one line for each finding. */
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
        if (report.exchanges == planned.ours.count) "" else s"planned ${planned.ours.count}; "
      s"exchanges: ${report.exchanges} (${atRunTime}Spark alone: ${planned.stock.count})" +
        bytes(planned)
  }

  /** The estimated sizes, empty if they are unknown. */
  def bytes(report: PlanReport): String = {
    val (with_, without) = (report.ours.bytes, report.stock.bytes)
    if (!Bytes.known(with_) || !Bytes.known(without) || without == 0) ""
    else s", estimated shuffle ${Bytes.text(with_)} (Spark alone: ${Bytes.text(without)})"
  }

  def reasons(report: QueryReport): Seq[String] = {
    val planned = different(report.planned.toSeq.flatMap(_.findings)).flatMap(lines)
    val atRunTime = different(report.atRunTime).flatMap(lines).map("at run time, " + _)
    planned ++ atRunTime ++ report.others.flatMap(lines)
  }

  /** Each removal, also if several read alike. What was declined for one reason is said once. */
  private def different(findings: Seq[Finding]): Seq[Finding] = {
    val said = mutable.Set.empty[Seq[String]]
    findings.filter(finding => finding.taken || said.add(lines(finding)))
  }

  /**
   * "removed: SortMergeJoin (a, b) is served by (a) [SUBSET_KEYS: ...] [SMALL_EDGE: ...]". Findings on
   * parts of the place follow.
   */
  def lines(finding: Finding): Seq[String] = {
    val reasons = finding.reasons.map(reason => s" [$reason]").mkString
    s"${finding.text}$reasons" +: finding.parts.flatMap(lines).map("  " + _)
  }
}
