package io.colocate.report

import io.colocate.report.ReasonKind.Decline

/** Why an operator on changes, or a generator of listed rows, is done as Spark does it. */
object ChangesReasons {

  final val Capability = "changes"

  case object ListTooLong
      extends ReasonCode("LIST_TOO_LONG", Capability, Decline,
        "it lists {values} values; up to {most} are compiled into a loop",
        "The rows of `stack`, `inline(array(...))` and the like are made without an array of them, unless " +
          "the code would get too large.")

  val all: Seq[ReasonCode] = Seq(ListTooLong)
}
