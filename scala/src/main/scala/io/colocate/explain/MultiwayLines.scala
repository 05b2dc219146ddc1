package io.colocate.explain

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.multiway.detect.MultiwayReport

/** Which joins that form a cycle are done at once, and why others are not. */
private[explain] object MultiwayLines {

  /** @param parts of a plan, see [[PlanWalk.parts]] */
  def joins(parts: Seq[SparkPlan]): Seq[MultiwayReport] =
    parts.flatMap(PlanWalk.nodes).flatMap(_.logicalLink).flatMap(MultiwayReport.of).distinct

  /** "multiway join: a(v0, v1), ...; v0 = a.src = c.src, ... [MULTIWAY_JOIN: 3 inputs are joined ...]" */
  def line(report: MultiwayReport): String = {
    val what = if (report.chosen) "multiway join" else "no multiway join"
    s"$what: ${report.joins} [${report.reason.code.name}: ${report.reason.sentence}]"
  }
}
