package io.colocate.explain

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.hyperjoin.HyperJoinReport

/** Which joins of robust tables need no shuffle, and why others do. */
private[explain] object HyperJoinLines {

  /** @param parts of a plan, see [[PlanWalk.parts]] */
  def joins(parts: Seq[SparkPlan]): Seq[HyperJoinReport] =
    parts.flatMap(PlanWalk.nodes).flatMap(_.logicalLink).flatMap(HyperJoinReport.of).distinct

  /** "hyper-join: INNER join (a.k = b.k) [HYPER_JOIN: 8 tasks join files of both tables; ...]" */
  def line(report: HyperJoinReport): String = {
    val what = if (report.chosen) "hyper-join" else "no hyper-join"
    s"$what: ${report.join} [${report.reason.code.name}: ${report.reason.sentence}]"
  }
}
