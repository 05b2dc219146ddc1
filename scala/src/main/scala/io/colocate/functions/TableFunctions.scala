package io.colocate.functions

import io.colocate.functions.call.TableFunction
import io.colocate.functions.declarations.{CheckDependenciesFunction, DeclaredFunction, DeclareFunction, UndeclareFunction}

/** Every table function that the extension brings. */
object TableFunctions {

  private[functions] val functions: Seq[TableFunction] =
    Seq(ExplainFunction, WhyNotFunction, LastPlanFunction, VersionFunction, RuleTimesFunction,
      StatementsFunction, TableHistoryFunction, TableTreeFunction, TableFilesFunction,
      TableStatsFunction, TableOrphansFunction, TablePathFunction, TableChangesFunction,
      AdviseColumnsFunction, DeclareFunction, UndeclareFunction, DeclaredFunction,
      CheckDependenciesFunction)

  val all: Seq[TableFunction.Description] = functions.map(_.description)
}
