package io.colocate.explain.view

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.explain.plan.PlanWalk
import io.colocate.hyperjoin.plan.HyperJoinReport
import io.colocate.multiway.graph.MultiwayReport
import io.colocate.report.Reason

/** Which joins are done in another way than Spark's, and why others are not. */
private[explain] object JoinLines {

  /** @param parts of a plan, see [[PlanWalk.parts]] */
  def hyperJoins(parts: Seq[SparkPlan]): Seq[HyperJoinReport] = reports(parts)(HyperJoinReport.of)

  /** @param parts of a plan, see [[PlanWalk.parts]] */
  def multiway(parts: Seq[SparkPlan]): Seq[MultiwayReport] = reports(parts)(MultiwayReport.of)

  private def reports[T](parts: Seq[SparkPlan])(of: LogicalPlan => Option[T]): Seq[T] =
    parts.flatMap(PlanWalk.nodes).flatMap(_.logicalLink).flatMap(of(_)).distinct

  /** "hyper-join: INNER join (a.k = b.k) [HYPER_JOIN: 8 tasks join files of both tables; ...]" */
  def lines(hyperJoins: Seq[HyperJoinReport], multiway: Seq[MultiwayReport]): Seq[String] =
    hyperJoins.map(j => line("hyper-join", j.chosen, j.join, j.reason +: j.order.toSeq)) ++
      multiway.map(j =>
        line("multiway join", j.chosen, j.joins, j.reason +: (j.placed ++ j.above).toSeq))

  private def line(what: String, chosen: Boolean, join: String, reasons: Seq[Reason]): String = {
    val why = reasons.map(reason => s"[${reason.code.name}: ${reason.sentence}]").mkString(" ")
    s"${if (chosen) "" else "no "}$what: $join $why"
  }
}
