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

  case object FilesCompared
      extends ReasonCode("FILES_COMPARED", Capability, Decline,
        "version {versions} does not tell which rows it changed, so all rows of the files that it removed " +
          "and added are read",
        "An overwrite, or a replaceWhere whose predicate may select other rows today, such as one with the " +
          "current time or a function of the user's. Rows that went and came in one version are no change; " +
          "they are told apart by grouping, unless a column is a map, a variant or text with a collation.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(ListTooLong, FilesCompared)
}
