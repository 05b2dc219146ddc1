package io.colocate.exchange.memory

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.cost.PlanCost
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * What the exchange planner did to one physical plan (the main query or one subquery), kept on the
 * plan's nodes for explain().
 *
 * @param stockExchanges    shuffles that Spark alone would plan, a reused one counted once
 * @param colocateExchanges shuffles that are planned now, counted alike
 * @param stockBytes        estimated bytes that Spark alone would shuffle
 * @param colocateBytes     estimated bytes that are shuffled now
 * @param removals          shuffles that Spark would have added and that are gone
 * @param declines          shuffles that another layout could have saved, and why it was not taken
 * @param narrowed          where rows lie on fewer keys than an operator asks for
 */
final case class ExchangeReport(
    stockExchanges: Int,
    colocateExchanges: Int,
    stockBytes: Double,
    colocateBytes: Double,
    removals: Seq[Removal],
    declines: Seq[Decline],
    narrowed: Seq[Narrowed] = Nil) {

  /** The same, of shuffles that were counted another way. */
  def counting(stock: PlanCost, ours: PlanCost): ExchangeReport =
    copy(stockExchanges = stock.exchanges, colocateExchanges = ours.exchanges,
      stockBytes = stock.bytes, colocateBytes = ours.bytes)

  def changed: Boolean = removals.nonEmpty || stockExchanges != colocateExchanges ||
    stockBytes != colocateBytes
}

/**
 * A shuffle that is gone.
 *
 * @param operator the operator that needed it, as explain() names it ("SortMergeJoin")
 * @param required the keys it asks for
 * @param keys     the keys of the layout that serves it
 * @param reasons  the facts used, then the evidence that let it pass
 */
final case class Removal(
    operator: String,
    required: Seq[String],
    keys: Seq[String],
    reasons: Seq[Reason])

/**
 * Rows that lie on fewer keys than an operator asks for, with the evidence that this puts too many of
 * them into no partition.
 */
final case class Narrowed(
    operator: String,
    required: Seq[Expression],
    keys: Seq[Expression],
    evidence: Reason)

/** A shuffle that stays although another layout could have saved it, with the first cause. */
final case class Decline(operator: String, required: Seq[String], reason: Reason)

object Decline {

  /** Of a plan as a whole. */
  def apply(operator: String, reason: Reason): Decline = Decline(operator, Nil, reason)
}

object ExchangeReport {

  /** Of a plan that nobody has counted. */
  val Empty: ExchangeReport = ExchangeReport(0, 0, 0, 0, Nil, Nil)

  def apply(stock: PlanCost, ours: PlanCost, declines: Seq[Decline]): ExchangeReport =
    ExchangeReport(stock.exchanges, ours.exchanges, stock.bytes, ours.bytes, Nil, declines)

  /** Where a plan keeps its report; set on the root of what the planner saw. */
  val Tag: TreeNodeTag[ExchangeReport] = TreeNodeTag[ExchangeReport]("colocate.exchange.report")

  def of(plan: SparkPlan): Option[ExchangeReport] = plan.getTagValue(Tag)

  /** The plan, on which is noted that a rule failed, beside what was noted before. */
  def failed(plan: SparkPlan, rule: String, error: Throwable): SparkPlan = {
    val reason = Reason(ExchangeReasons.InternalError, "rule" -> rule, "error" -> error.toString)
    val before = of(plan).getOrElse(Empty)
    plan.setTagValue(Tag, before.copy(declines = before.declines :+ Decline(plan.nodeName, reason)))
    plan
  }
}
