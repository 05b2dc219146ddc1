package io.colocate.hyperjoin

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

import io.colocate.reason.{Bytes, Reason, ReasonCode}

/**
 * What became of a join of two robust tables.
 *
 * @param join   its type and condition
 * @param chosen true if it needs no shuffle
 * @param reason with the figures that it was decided by
 * @param moved  bytes that the two shuffles of Spark alone would most likely move, if it is chosen
 */
final case class HyperJoinReport(join: String, chosen: Boolean, reason: Reason, moved: Double)

object HyperJoinReport {

  private val Tag = TreeNodeTag[HyperJoinReport]("colocate.hyperjoin")

  def of(plan: LogicalPlan): Option[HyperJoinReport] = plan.getTagValue(Tag)

  private[hyperjoin] def put(join: Join, outcome: Either[Reason, HyperJoinChoice]): Unit = {
    val condition = join.condition.fold("")(" " + _.sql)
    join.setTagValue(Tag,
      HyperJoinReport(s"${Validity.name(join.joinType)} join$condition", outcome.isRight,
        outcome.fold(identity, figures), outcome.fold(_ => 0.0, _.moved)))
  }

  private def figures(choice: HyperJoinChoice): Reason = {
    val probed = if (choice.grouped == Side.Left) choice.right else choice.left
    Reason(ReasonCode.HyperJoin, "groups" -> choice.groups.toString, "c" -> choice.cText,
      "files" -> probed.files.toString, "reads" -> probed.reads.toString,
      "bytes" -> Bytes.text(choice.moved))
  }
}
