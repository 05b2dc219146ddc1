package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.colocate.report.{Finding, Findings, MultiwayReasons, Reason}

/** Reports which joins that form a cycle became multiway joins, and why the others did not. */
private[multiway] object MultiwayFindings {

  private val Capability = MultiwayReasons.Capability

  /**
   * "multiway join: e [v0, v1], e [v1, v2], e [v0, v2]"
   *
   * @param above why EXISTS and NOT EXISTS are left to joins above
   */
  def taken(node: LogicalPlan, joins: String, reason: Reason, above: Seq[Reason]): Unit =
    Findings.put(node,
      Finding.taken(Capability, "multiway join", "Join", Seq(joins), s"multiway join: $joins",
        reason +: above))

  def kept(node: LogicalPlan, joins: String, reason: Reason): Unit =
    Findings.put(node,
      Finding.kept(Capability, "no multiway join", "Join", Seq(joins), s"no multiway join: $joins",
        reason))

  /** Adds where the rows of a chosen join meet, if that is worth reporting. */
  def placed(node: LogicalPlan, reason: Reason): Unit =
    of(node).foreach(finding => Findings.put(node, finding.also(reason)))

  /** A join that was chosen is not done after all; from now on the nodes carry its finding. */
  def withdrawn(join: LogicalPlan, reason: Reason, nodes: Seq[LogicalPlan]): Unit =
    for (finding <- of(join); joins <- finding.about; node <- nodes) kept(node, joins, reason)

  private def of(node: LogicalPlan): Option[Finding] = Findings.of(node, Capability)
}
