package io.colocate.functions

import io.colocate.functions.adapt.{AdaptFunction, SetAdaptFunction, SimulateFunction, TableQueriesFunction}
import io.colocate.functions.advise.{BroadcastHintsFunction, ColumnStatisticsFunction, FilteredColumnsFunction, LayoutRequirementsFunction, LoggedQueriesFunction, PossiblePartitioningsFunction, WhatIfFunction}
import io.colocate.functions.call.TableFunction
import io.colocate.functions.declarations.{CheckDependenciesFunction, DeclaredFunction, DeclareFunction, UndeclareFunction}
import io.colocate.functions.tables.{AdviseColumnsFunction, TableChangesFunction, TableFilesFunction, TableHistoryFunction, TableOrphansFunction, TablePathFunction, TableStatsFunction, TableTreeFunction}
import io.colocate.functions.views.{ExplainRefreshFunction, ViewDefinitionFunction, ViewStatusFunction}

/** Every table function that the extension brings. */
object TableFunctions {

  private[functions] val functions: Seq[TableFunction] =
    Seq(ExplainFunction, WhyNotFunction, LastPlanFunction, VersionFunction, RuleTimesFunction,
      StatementsFunction, TableHistoryFunction, TableTreeFunction, TableFilesFunction,
      TableStatsFunction, TableOrphansFunction, TablePathFunction, TableChangesFunction,
      AdviseColumnsFunction, AdaptFunction, TableQueriesFunction, SetAdaptFunction,
      SimulateFunction, DeclareFunction, UndeclareFunction, DeclaredFunction,
      CheckDependenciesFunction, WhatIfFunction, LayoutRequirementsFunction,
      PossiblePartitioningsFunction, ColumnStatisticsFunction, LoggedQueriesFunction,
      BroadcastHintsFunction, FilteredColumnsFunction, ViewDefinitionFunction, ViewStatusFunction,
      ExplainRefreshFunction)

  val all: Seq[TableFunction.Description] = functions.map(_.description)
}
