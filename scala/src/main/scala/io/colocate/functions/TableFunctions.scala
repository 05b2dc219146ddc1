package io.colocate.functions

/** Every table function that the extension brings. */
object TableFunctions {

  val all: Seq[ReportFunction.Description] =
    Seq(ExplainFunction, WhyNotFunction, LastPlanFunction, VersionFunction, RuleTimesFunction,
      StatementsFunction, TableHistoryFunction, TableTreeFunction, TableFilesFunction,
      TableStatsFunction, TableOrphansFunction, TablePathFunction, AdviseColumnsFunction).map(
      _.description)
}
