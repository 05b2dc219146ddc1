package io.colocate.report

object ReasonCodes {

  /** Every code, in the order of the documentation. */
  val all: Seq[ReasonCode] =
    ExchangeReasons.all ++ HyperJoinReasons.all ++ MultiwayReasons.all ++ TableReasons.all

  /** Every capability that gives reasons. */
  val capabilities: Seq[String] = all.map(_.capability).distinct
}
