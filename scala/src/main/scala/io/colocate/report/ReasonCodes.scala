package io.colocate.report

import io.colocate.report.ReasonKind.Decline

object ReasonCodes {

  private val ofCapabilities =
    ExchangeReasons.all ++ HyperJoinReasons.all ++ MultiwayReasons.all ++ TableReasons.all ++
      ChangesReasons.all ++ AdaptReasons.all

  /** Every code, in the order of the documentation. */
  val all: Seq[ReasonCode] = ofCapabilities ++ ProgramReasons.all :+ InternalError

  /** Every capability that gives reasons in a plan; those of ProgramReasons are of no plan that is run. */
  val capabilities: Seq[String] = ofCapabilities.map(_.capability).distinct
}

/**
 * A rule of Colocate failed, of whatever capability; the finding that carries the reason says of which. It
 * is the only code for an error of ours, and is made here only.
 */
case object InternalError
    extends ReasonCode("INTERNAL_ERROR", "any", Decline, "{rule} failed: {error}",
      "A rule of Colocate failed, and what Spark alone does was kept. Please report it.") {

  override val aliases: Seq[String] = Seq("HYPER_JOIN_ERROR", "MULTIWAY_ERROR", "LAYOUT_ERROR")

  /** @param rule as `colocate_rule_times()` names it, or a part of it */
  def apply(rule: String, error: Throwable): Reason =
    Reason(this, "rule" -> rule, "error" -> error.toString)
}
