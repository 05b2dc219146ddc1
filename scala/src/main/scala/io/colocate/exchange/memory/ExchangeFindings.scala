package io.colocate.exchange.memory

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.report.{ExchangeReasons, Finding, InternalError, PlanReport, Reason}

/** What the exchange planner reports about shuffles. */
object ExchangeFindings {

  private val Capability = ExchangeReasons.Capability

  /**
   * A removed shuffle: "removed: SortMergeJoin (a, b) is served by (a)".
   *
   * @param operator the operator that needed it, as explain() names it
   * @param required the keys that it requires
   * @param keys     the keys of the partitioning that serves it
   * @param reasons  the facts used, then the evidence that permitted it
   */
  def removed(
      operator: String,
      required: Seq[String],
      keys: Seq[String],
      reasons: Seq[Reason]): Finding = {
    val served = if (keys.isEmpty) "" else s" is served by ${list(keys)}"
    val text = s"removed: ${need(operator, required)}$served"
    Finding.taken(Capability, "removed", operator, required, text, reasons)
  }

  /** A shuffle that stays although another partitioning could have saved it, with the first reason. */
  def kept(operator: String, required: Seq[String], reason: Reason): Finding =
    Finding.kept(Capability, "kept", operator, required, s"kept: ${need(operator, required)}",
      reason)

  /** A plan that is left unchanged as a whole. */
  def kept(root: String, reason: Reason): Finding = kept(root, Nil, reason)

  /** Adds the failure of a rule to the report of the plan, and returns the plan. */
  def failed(plan: SparkPlan, rule: String, error: Throwable): SparkPlan = {
    val before = PlanReport.of(plan).getOrElse(PlanReport.NotCounted)
    PlanReport.put(plan, before.and(Seq(failure(plan.nodeName, rule, error))))
    plan
  }

  def failure(operator: String, rule: String, error: Throwable): Finding =
    kept(operator, InternalError(rule, error))

  private def need(operator: String, required: Seq[String]): String =
    if (required.isEmpty) operator else s"$operator ${list(required)}"

  private def list(keys: Seq[String]): String = keys.mkString("(", ", ", ")")
}

/**
 * Rows hashed on fewer keys than an operator requires, with the evidence that no partition gets too many of
 * them.
 */
final case class Narrowed(
    operator: String,
    required: Seq[Expression],
    keys: Seq[Expression],
    evidence: Reason)

object Narrowed {

  private val Tag = TreeNodeTag[Seq[Narrowed]]("colocate.exchange.narrowed")

  def of(plan: SparkPlan): Seq[Narrowed] = plan.getTagValue(Tag).getOrElse(Nil)

  def put(plan: SparkPlan, all: Seq[Narrowed]): Unit = plan.setTagValue(Tag, all)
}
