package io.colocate.functions

import io.colocate.functions.call.TableFunction
import io.colocate.functions.declarations.{CheckDependenciesFunction, DeclaredFunction, DeclareFunction, UndeclareFunction}
import io.colocate.functions.tables.{AdaptFunction, AdviseColumnsFunction, SimulateFunction, TableChangesFunction, TableFilesFunction, TableHistoryFunction, TableOrphansFunction, TablePathFunction, TableQueriesFunction, TableStatsFunction, TableTreeFunction}

/** Every table function that the extension brings. */
object TableFunctions {

  private[functions] val functions: Seq[TableFunction] =
    Seq(ExplainFunction, WhyNotFunction, LastPlanFunction, VersionFunction, RuleTimesFunction,
      StatementsFunction, TableHistoryFunction, TableTreeFunction, TableFilesFunction,
      TableStatsFunction, TableOrphansFunction, TablePathFunction, TableChangesFunction,
      AdviseColumnsFunction, AdaptFunction, SimulateFunction, TableQueriesFunction, DeclareFunction,
      UndeclareFunction, DeclaredFunction, CheckDependenciesFunction)

  val all: Seq[TableFunction.Description] = functions.map(_.description)
}
