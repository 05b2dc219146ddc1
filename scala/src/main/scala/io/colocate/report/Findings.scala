package io.colocate.report

import org.apache.spark.sql.catalyst.trees.{TreeNode, TreeNodeTag}
import org.apache.spark.sql.execution.FileSourceScanLike

/**
 * The findings that capabilities attach to operators: of a logical plan, or of a physical one if they hold
 * for that plan only.
 */
object Findings {

  private val Tag = TreeNodeTag[Seq[Finding]]("colocate.findings")

  def of(operator: TreeNode[_]): Seq[Finding] = operator.getTagValue(Tag).getOrElse(Nil)

  def of(operator: TreeNode[_], capability: String): Option[Finding] =
    of(operator).find(_.capability == capability)

  /** Keeps one finding per operator and capability: the newest. */
  def put(operator: TreeNode[_], finding: Finding): Unit =
    operator.setTagValue(Tag, of(operator).filterNot(_.capability == finding.capability) :+ finding)
}

/** A part of a scan that keeps findings on it, such as the list of chosen files. */
trait HasFindings {
  def findings(scan: FileSourceScanLike): Seq[Finding]
}
