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

  case object NotDeterministic
      extends ReasonCode("NOT_DETERMINISTIC", Capability, Decline,
        "{what} may give another value when it is asked again",
        "A maintained view keeps rows from earlier days. Put the value into a column of a source, or compute it " +
          "when the view is read.")

  case object UserFunction
      extends ReasonCode("USER_FUNCTION", Capability, Decline,
        "{what} is a function or a variable of the user's, of which nothing tells when it changes",
        "Write it as an expression of SQL, or compute it when the view is read.")

  case object OrderDependent
      extends ReasonCode("ORDER_DEPENDENT_AGGREGATE", Capability, Decline,
        "the value of {what} depends on an order of rows that a table does not have",
        "Use min_by, max_by, or sort_array(collect_set(...)).")

  case object SubqueryValue
      extends ReasonCode("SUBQUERY_VALUE", Capability, Decline,
        "all rows depend on a subquery, {why}",
        "A subquery that gives one value is a constant as long as the value stays. One in WHERE ... IN, EXISTS or " +
          "with a condition on the outer row is a join and is maintained.")

  case object UnboundedWindow
      extends ReasonCode("UNBOUNDED_WINDOW", Capability, Decline,
        "a window without PARTITION BY looks at all rows",
        "With PARTITION BY the partitions that changed are computed anew.")

  case object GlobalAggregate
      extends ReasonCode("GLOBAL_AGGREGATE", Capability, Decline,
        "an aggregate without GROUP BY depends on all rows",
        "Group by a column, and aggregate the groups when the view is read.")

  case object JoinWithoutKeys
      extends ReasonCode("JOIN_WITHOUT_KEYS", Capability, Decline,
        "a {join} join without equal columns may gain or lose any row by one change",
        "NOT IN is such a join, as one NULL on the right leaves no row; NOT EXISTS has a key and is maintained.")

  case object LimitedRows
      extends ReasonCode("LIMITED_ROWS", Capability, Decline,
        "which rows are the first depends on all rows",
        "Leave LIMIT and ORDER BY to those who read the view, or number rows by row_number() with PARTITION BY.")

  case object NotExact
      extends ReasonCode("NOT_EXACT", Capability, Decline,
        "{what} in {operator} may differ in its bits when it is computed again, and operators above it use it",
        "Sums of floating-point numbers, text with a collation as a key, and numbers of rows that are equal. " +
          "As the last operator of a view, with its keys among the columns, it is maintained.")

  case object OperatorUnknown
      extends ReasonCode("OPERATOR_NOT_MAINTAINED", Capability, Decline,
        "there is no rule for {operator}", "docs/views.md lists the operators that are maintained.")

  case object SourceWithoutChanges
      extends ReasonCode("SOURCE_WITHOUT_CHANGES", Capability, Decline,
        "{source} has other rows now, and no history that tells which",
        "Store it as a robust table. Files of other formats may be read as long as they stay the same.")

  case object SourceHistoryGone
      extends ReasonCode("SOURCE_HISTORY_GONE", Capability, Decline,
        "{source} is not the table any more that the view has read, or its version {version} cannot be read",
        "It was dropped and made again, or a vacuum has removed files that the view still needed. Refresh more " +
          "often than versions are removed.")

  case object DefinitionChanged
      extends ReasonCode("DEFINITION_CHANGED", Capability, Decline,
        "the query means something else than at the last refresh",
        "A view below it, or the columns of a source, have changed since.")

  case object RowsNotFound
      extends ReasonCode("ROWS_NOT_FOUND", Capability, Decline,
        "rows that were to be taken away are not in the view",
        "The files of a source or of the view may have been changed by hand. Nothing of the change was kept.")

  case object FullAsked
      extends ReasonCode("FULL_ASKED", Capability, Decline, "the policy is full",
        "Each refresh computes all rows anew.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(ListTooLong, FilesCompared, NotDeterministic, UserFunction,
    OrderDependent, SubqueryValue, UnboundedWindow, GlobalAggregate, JoinWithoutKeys, LimitedRows,
    NotExact, OperatorUnknown, SourceWithoutChanges, SourceHistoryGone, DefinitionChanged,
    RowsNotFound, FullAsked)
}
