package io.colocate.report

import io.colocate.report.ReasonKind.Decline

/** Why a condition on a robust table excluded no file. */
object TableReasons {

  final val Capability = "layout"

  sealed abstract private[report] class TableReason(name: String, template: String, meaning: String)
      extends ReasonCode(name, Capability, Decline, template, meaning)

  case object FilterVaries
      extends TableReason("FILTER_VARIES", "its value may differ from one evaluation to the next",
        "A condition with rand() or the like may be asked once more for each row, and must not be asked of a file.")

  case object FilterKnownLater
      extends TableReason("FILTER_KNOWN_LATER",
        "it needs a value that is known only when the query runs",
        "A scalar subquery, or the current time. The keys of a join may still leave files out at run time.")

  case object FilterFails
      extends TableReason("FILTER_FAILS", "a constant in it cannot be evaluated",
        "The query fails if a row is asked. Whether there is one, only the files tell.")

  case object FilterBehindError
      extends TableReason("FILTER_BEHIND_ERROR",
        "a condition before it may raise an error, which pruning would hide",
        "Files that this condition rules out may hold a row on which the one before fails. Write this condition first.")

  case object NoFileStatistics
      extends TableReason("NO_FILE_STATISTICS",
        "there are neither statistics nor cuts of the columns that it names",
        "The log keeps bounds of columns whose types have an order, those in structs aside. The option `columns` names those that the tree cuts.")

  case object NothingRuledOut
      extends TableReason("NOTHING_RULED_OUT", "every file may hold rows that pass",
        "The condition is too wide, or the table is not cut by its column. `Table.advise_columns` tells which columns to cut.")

  case object FilterNotSupported
      extends TableReason("FILTER_NOT_SUPPORTED",
        "the outcome of {expression} does not follow from the range of a column",
        "Comparisons, IN, LIKE with a prefix, IS NULL, and casts that keep the order are followed.")

  case object TypeNotOrdered
      extends TableReason("TYPE_NOT_ORDERED", "values of {type} are not ordered by their bytes",
        "Text with a collation and types such as MAP have no bounds in the log.")

  case object CastReorders
      extends TableReason("CAST_REORDERS",
        "the cast of {from} to {to} does not keep the order of values",
        "Compare the column with a value of its own type.")

  case object NotAColumn
      extends TableReason("NOT_A_COLUMN", "{name} is not a column that the files hold",
        "A column of the query that is made above the scan, such as the path of the file.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(FilterVaries, FilterKnownLater, FilterFails,
    FilterBehindError, NoFileStatistics, NothingRuledOut, FilterNotSupported, TypeNotOrdered,
    CastReorders, NotAColumn)
}
