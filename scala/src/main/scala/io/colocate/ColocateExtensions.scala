package io.colocate

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSessionExtensions

import io.colocate.adaptive.WithdrawalCostEvaluator
import io.colocate.exchange.{ExchangeHint, ExchangeRule, ExchangeStrategy}
import io.colocate.exchange.replan.CombineAggregates
import io.colocate.explain.ColocateExplainProvider
import io.colocate.functions.TableFunctions
import io.colocate.hyperjoin.{HyperJoinStrategy, JoinOrder}
import io.colocate.multiway.{FindCyclicJoins, MultiwayStrategy}
import io.colocate.multiway.exec.KeepRelations
import io.colocate.multiway.graph.MultiwayHint
import io.colocate.rule.{BuildInfo, HintNode, SessionSetup}
import io.colocate.tables.sql.{ColumnClauses, ForeignWrites, NewestColumns, PathTables, PinTables, PlanFileKeys, PruneByJoin, ReadsTable, TableCommands, VersionAsOf}

/**
 * The entry: `spark.sql.extensions=io.colocate.ColocateExtensions`.
 *
 * Where what runs, from the query to the task:
 * {{{
 *   analysis                 ExchangeHint.Resolve    /*+ COLOCATE(mode) */ becomes a node
 *                            MultiwayHint.Resolve    /*+ MULTIWAY */ becomes a node
 *                            VersionAsOf             VERSION AS OF becomes an option of the table
 *                            PathTables              SQL names a table by its path
 *                            ColumnClauses           ADD COLUMNS (... FIRST) is refused, and the like
 *                            NewestColumns           a table has the columns of its newest version
 *                            SessionSetup            Spark asks for our section of explain(), and whether a
 *                                                    re-planning may add a shuffle against skew
 *                            TableFunctions          colocate_explain and the like
 *                            TableCommands           CREATE TABLE USING colocate, TRUNCATE and the like
 *                            ForeignWrites           no other format writes into the folder of a table
 *                            ReadsTable.Mark         saveAsTable sees which tables a query reads
 *   normalisation            ReadsTable.Unmark       nobody else sees these marks
 *   optimizer                HintNode.Lift           filters and columns pass these nodes
 *   before costs             PinTables               one version per table and query, files pruned
 *                            FindCyclicJoins         joins that form a cycle become one multiway join
 *                            JoinOrder               tables that join without a shuffle do so first
 *                            PruneByJoin             keys of a broadcast side leave out files at run time
 *   planner strategies       HintNode.Plan           a hint adds no operator
 *                            ExchangeStrategy        adaptive execution off: layouts for the whole plan
 *                            HyperJoinStrategy       robust tables are joined without a shuffle
 *                            MultiwayStrategy        the inputs' rows meet by broadcasts, or in cells
 *   post-planner strategies  ExchangeRule            adaptive execution on: the same, at each re-planning
 *   query stage preparation  CombineAggregates       an aggregate that lost its shuffle is computed at once
 *   columnar rules           CombineAggregates       adaptive execution off: the same
 *                            PlanFileKeys            the check of files against these keys
 *                            KeepRelations           broadcasts of multiway joins serve later queries
 *   EnsureRequirements       (Spark's) verifies, and adds what is missing
 * }}}
 * Switches are read when a query is planned, not here: a running session can turn each rule off.
 */
final class ColocateExtensions extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    BuildInfo.requireSpark(SPARK_VERSION)
    // A session with Hive support has no rules for hints in Spark 4.2, so ours are in two places.
    for (resolve <- Seq(ExchangeHint.Resolve, MultiwayHint.Resolve)) {
      extensions.injectHintResolutionRule(_ => resolve)
      extensions.injectResolutionRule(_ => resolve)
    }
    extensions.injectHintResolutionRule(VersionAsOf(_))
    extensions.injectHintResolutionRule(PathTables(_))
    extensions.injectHintResolutionRule(ColumnClauses(_))
    extensions.injectResolutionRule(ColumnClauses(_))
    extensions.injectOptimizerRule(_ => HintNode.Lift)
    extensions.injectPlannerStrategy(_ => HintNode.Plan)
    extensions.injectPlannerStrategy(session => new ExchangeStrategy(session))
    extensions.injectPlannerStrategy(session => new HyperJoinStrategy(session))
    extensions.injectPlannerStrategy(session => new MultiwayStrategy(session))
    extensions.injectQueryPostPlannerStrategyRule(_ => ExchangeRule())
    extensions.injectResolutionRule(SessionSetup(_,
      Seq(WithdrawalCostEvaluator.Setting, ColocateExplainProvider.Setting)))
    extensions.injectResolutionRule(_ => NewestColumns())
    extensions.injectPostHocResolutionRule(session => TableCommands(session))
    extensions.injectPostHocResolutionRule(session => ForeignWrites(session))
    extensions.injectPostHocResolutionRule(_ => ReadsTable.Mark())
    extensions.injectPlanNormalizationRule(_ => ReadsTable.Unmark)
    extensions.injectPreCBORule(_ => PinTables())
    extensions.injectPreCBORule(session => FindCyclicJoins(session))
    extensions.injectPreCBORule(session => JoinOrder(session))
    extensions.injectPreCBORule(_ => PruneByJoin())
    extensions.injectQueryStagePrepRule(_ => CombineAggregates)
    extensions.injectColumnar(_ => CombineAggregates.WithoutAdaptive)
    extensions.injectColumnar(_ => PlanFileKeys())
    extensions.injectColumnar(_ => KeepRelations())
    TableFunctions.all.foreach(extensions.injectTableFunction)
  }
}
