package io.colocate.report

object ReasonCodes {

  private val ofCapabilities =
    ExchangeReasons.all ++ HyperJoinReasons.all ++ MultiwayReasons.all ++ TableReasons.all ++
      ChangesReasons.all ++ AdaptReasons.all

  /** Every code, in the order of the documentation. */
  val all: Seq[ReasonCode] = ofCapabilities :+ InternalError

  /** Every capability that gives reasons. */
  val capabilities: Seq[String] = ofCapabilities.map(_.capability).distinct
}
