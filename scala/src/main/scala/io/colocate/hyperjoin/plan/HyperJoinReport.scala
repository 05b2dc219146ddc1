package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

import io.colocate.facts.joins.JoinSemantics
import io.colocate.report.Reason

/**
 * What became of a join with a robust table.
 *
 * @param join   its type and condition
 * @param chosen true if it needs fewer shuffles
 * @param reason with the figures that it was decided by
 * @param spared shuffles that Spark alone would do, if it is chosen
 * @param moved  bytes that these would most likely move
 * @param order  why it is made before others
 */
final case class HyperJoinReport(
    join: String,
    chosen: Boolean,
    reason: Reason,
    spared: Int,
    moved: Double,
    order: Option[Reason])

object HyperJoinReport {

  private val Tag = TreeNodeTag[HyperJoinReport]("colocate.hyperjoin")

  /** Why a join is made before others. */
  private[hyperjoin] val Order = TreeNodeTag[Reason]("colocate.hyperjoin.order")

  def of(plan: LogicalPlan): Option[HyperJoinReport] = plan.getTagValue(Tag)

  private[hyperjoin] def put(join: Join, outcome: Either[Reason, HyperJoinChoice]): Unit = {
    val condition = join.condition.fold("")(" " + _.sql)
    val text = s"${JoinSemantics.name(join.joinType)} join$condition"
    val order = join.getTagValue(Order)
    val report = outcome match {
      case Left(reason) => HyperJoinReport(text, chosen = false, reason, 0, 0.0, order)
      case Right(choice) =>
        HyperJoinReport(text, chosen = true, choice.reason, choice.spared, choice.moved, order)
    }
    join.setTagValue(Tag, report)
  }
}
