package io.colocate.report

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * The findings and the shuffles of one physical plan, of the main query or of one subquery. It is attached
 * to the root of the plan for explain().
 *
 * @param stock the shuffles of Spark's plan
 * @param ours  the shuffles of the present plan, counted in the same way
 */
final case class PlanReport(stock: Shuffles, ours: Shuffles, findings: Seq[Finding]) {

  def taken: Seq[Finding] = findings.filter(_.taken)

  def kept: Seq[Finding] = findings.filter(_.kept)

  def and(more: Seq[Finding]): PlanReport =
    copy(findings = findings ++ more.filterNot(findings.contains))

  def changed: Boolean = taken.nonEmpty || stock != ours
}

object PlanReport {

  /** For a plan whose shuffles were not counted. */
  val NotCounted: PlanReport = PlanReport(Shuffles.None, Shuffles.None, Nil)

  private val Tag = TreeNodeTag[PlanReport]("colocate.report")

  def of(plan: SparkPlan): Option[PlanReport] = plan.getTagValue(Tag)

  def put(plan: SparkPlan, report: PlanReport): Unit = plan.setTagValue(Tag, report)
}
