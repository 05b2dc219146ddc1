package io.colocate

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSessionExtensions

import io.colocate.adapt.AdaptInBackground
import io.colocate.adaptive.WithdrawalCostEvaluator
import io.colocate.changes.linear.EmitRows
import io.colocate.changes.view.ViewCommands
import io.colocate.exchange.{ExchangeHint, ExchangeRule, ExchangeStrategy}
import io.colocate.exchange.replan.CombineAggregates
import io.colocate.explain.ColocateExplainProvider
import io.colocate.functions.call.RowsLater
import io.colocate.functions.procedures.NameProcedures
import io.colocate.functions.TableFunctions
import io.colocate.hyperjoin.{HyperJoinStrategy, JoinOrder}
import io.colocate.multiway.{FindCyclicJoins, MultiwayStrategy}
import io.colocate.multiway.exec.KeepRelations
import io.colocate.multiway.graph.MultiwayHint
import io.colocate.rule.{BuildInfo, HintNode, RuleRow, SessionSetup, Switch}
import io.colocate.rule.Phase._
import io.colocate.rule.RuleRow.{needed, optional}
import io.colocate.tables.queries.QueryRecorder
import io.colocate.tables.sql.{ChangesOf, ColumnClauses, ForeignWrites, NewestColumns, PathTables, PinTables, PlanFileKeys, PruneByJoin, PruneChanges, ReadsTable, TableCommands, VersionAsOf}

/**
 * The entry point: `spark.sql.extensions=io.colocate.ColocateExtensions`.
 *
 * Switches are read when a query is planned, not here, so a running session can turn each rule off.
 */
final class ColocateExtensions extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    BuildInfo.requireSpark(SPARK_VERSION)
    ColocateExtensions.rules.foreach(_.inject(extensions))
    TableFunctions.all.foreach(extensions.injectTableFunction)
    QueryRecorder.tell(AdaptInBackground)
  }
}

object ColocateExtensions {

  /**
   * Every rule of Colocate, in the order in which a query meets them: its name, its switch, when Spark runs
   * it and what it does. Spark's own EnsureRequirements runs after the strategies and verifies their plans.
   */
  val rules: Seq[RuleRow[_, _]] = Seq(
    // A session with Hive support does not run hint rules in Spark 4.2, so the two hints are registered in
    // two phases.
    needed("exchange-hint", Hints, Analysis)("the hint COLOCATE becomes a node")(_ =>
      ExchangeHint.Resolve),
    needed("multiway-hint", Hints, Analysis)("the hint MULTIWAY becomes a node")(_ =>
      MultiwayHint.Resolve),
    needed("version-as-of", Hints)("VERSION AS OF becomes an option of the table")(VersionAsOf(_)),
    needed("changes-of", Hints)("t CHANGES FROM VERSION 3 reads the changes of a table")(
      ChangesOf(_)), needed("path-tables", Hints)("SQL names a table by its path")(PathTables(_)),
    needed("name-procedures", Hints)("CALL and SHOW PROCEDURES find our procedures")(
      NameProcedures(_)),
    needed("column-clauses", Hints, Analysis)(
      "ADD COLUMNS (... FIRST) is refused, and what else is said of a column and cannot be kept")(
      ColumnClauses(_)),
    needed("session-setup", Analysis)("Spark asks for our section of explain(), and whether a " +
      "re-planning may add a shuffle against skew")(SessionSetup(_,
      Seq(WithdrawalCostEvaluator.Setting, ColocateExplainProvider.Setting))),
    needed("newest-columns", Analysis)("a table has the columns of its newest version")(_ =>
      NewestColumns()),
    needed("table-commands", AfterAnalysis)(
      "CREATE TABLE USING colocate, INSERT, TRUNCATE and the like go by the log of the table")(
      TableCommands(_)),
    needed("view-commands", AfterAnalysis)(
      "CREATE MATERIALIZED VIEW USING colocate makes a view that is kept up to date")(_ =>
      ViewCommands()),
    needed("foreign-writes", AfterAnalysis)("no other format writes into the folder of a table")(
      ForeignWrites(_)),
    needed("mark-reads", AfterAnalysis)("saveAsTable sees which tables a query reads")(_ =>
      ReadsTable.Mark),
    needed("unmark-reads", Normalisation)("nobody else sees these marks")(_ => ReadsTable.Unmark),
    needed("lift-hints", Optimizer)("filters and columns are pushed through hints")(_ =>
      HintNode.Lift),
    needed("pin-tables", BeforeCosts)(
      "each table of a query has one version, each scan the files that its filters need")(_ =>
      PinTables()),
    needed("prune-changes", BeforeCosts)(
      "changes of versions that no filter lets through are not read")(_ => PruneChanges),
    optional("cyclic-joins", Switch.Multiway, BeforeCosts)(
      "joins that form a cycle become one multiway join")(FindCyclicJoins(_)),
    optional("join-order", Switch.HyperJoin, BeforeCosts)(
      "tables that join without a shuffle are joined first")(JoinOrder(_)),
    optional("prune-by-join", Switch.Layout, BeforeCosts)(
      "the keys of a broadcast side leave out files at run time")(_ => PruneByJoin),
    needed("plan-hints", Strategies)("a hint adds no operator")(_ => HintNode.Plan),
    needed("rows-later", Strategies)("a table function that runs jobs runs them with the query")(
      _ => RowsLater.Plan),
    optional("exchange-strategy", Switch.Exchange, Strategies)(
      "a query and its subqueries are looked at as a whole; with adaptive execution off, exchanges " +
        "are planned")(new ExchangeStrategy(_)),
    optional("hyper-join", Switch.HyperJoin, Strategies)(
      "robust tables are joined without a shuffle")(new HyperJoinStrategy(_)),
    needed("multiway", Strategies)(
      "the rows of a multiway join's inputs meet by broadcasts, or in cells")(
      new MultiwayStrategy(_)),
    optional(ExchangeRule.Name, Switch.Exchange, AfterPlanner)(
      "with adaptive execution on, exchanges are planned, and again at each re-planning")(_ =>
      ExchangeRule(adaptive = true)),
    optional("aggregates", Switch.Exchange, StagePreparation, Columnar)(
      "an aggregate that lost its shuffle is computed at once")(_ => CombineAggregates),
    optional("emit-rows", Switch.Changes, Columnar)(
      "the rows that a generator lists are made without an array")(_ => EmitRows),
    optional("plan-file-keys", Switch.Layout, Columnar)(
      "files are checked against the keys of prune-by-join")(_ => PlanFileKeys),
    optional("keep-relations", Switch.Multiway, Columnar)(
      "broadcasts of multiway joins serve later queries")(_ => KeepRelations))
}
