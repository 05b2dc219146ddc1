package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

import io.colocate.report.Reason

/**
 * What became of joins that form a cycle.
 *
 * @param joins  the inputs with their variables
 * @param chosen true if they are joined at once
 * @param reason with the figures that it was decided by
 * @param placed where rows meet, if that is worth a word
 * @param above  why EXISTS and NOT EXISTS are left to joins above
 */
final case class MultiwayReport(
    joins: String,
    chosen: Boolean,
    reason: Reason,
    placed: Option[Reason] = None,
    above: Seq[Reason] = Nil)

object MultiwayReport {

  private val Tag = TreeNodeTag[MultiwayReport]("colocate.multiway")

  def of(plan: LogicalPlan): Option[MultiwayReport] = plan.getTagValue(Tag)

  private[multiway] def put(plan: LogicalPlan, report: MultiwayReport): Unit =
    plan.setTagValue(Tag, report)
}
