package io.colocate.advise.layouts

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.estimated.EstimatedShuffles
import io.colocate.facts.proved.VersionedFiles
import io.colocate.report.{BeforeRewrite, Shuffles}
import io.colocate.rule.SparkAlone

/**
 * Plans queries as if tables lay otherwise. Nothing is run, and nothing is written in a catalogue. The
 * shuffles are those of the plans without adaptive execution, which may take more of them away as it runs.
 */
final class WhatIf(session: SparkSession) {
  import WhatIf._

  private val alone = SparkAlone.like(session)

  /** Analyses and optimises a query, once for all layouts. One that cannot be analysed raises Spark's error. */
  def query(parsed: LogicalPlan): Query = {
    val own = optimized(session, parsed)
    val plan = own.optimizedPlan
    new Query(plan, if (asByAlone(plan)) plan else optimized(alone, own.analyzed).optimizedPlan)
  }

  /** @param stock as Spark alone optimises it */
  final class Query private[WhatIf] (ours: LogicalPlan, val stock: LogicalPlan) {

    private val tables = ours.collectWithSubqueries { case scan: LogicalRelation => scan }
      .flatMap(StoredTable.of).toSet

    private val planned = TrieMap.empty[Set[TableLayout], Planned]

    /** Layouts of tables that the query does not read change nothing, and cost no planning. */
    def apply(layouts: Seq[TableLayout]): Planned = {
      val own = layouts.filter(layout => tables(layout.table))
      planned.getOrElseUpdate(own.toSet,
        Planned(shuffles(alone, AsIf(stock, own)), shuffles(session, AsIf(ours, own))))
    }
  }
}

object WhatIf {

  /** The shuffles of a query; one that is used several times counts once. */
  final case class Planned(stock: Shuffles, colocate: Shuffles)

  /**
   * The settings are passed explicitly, because a table function is called by an analyser that has pinned
   * those of its own session to the thread.
   */
  private def optimized(session: SparkSession, query: LogicalPlan): QueryExecution =
    SQLConf.withExistingConf(session.sessionState.conf) {
      val execution = session.sessionState.executePlan(query, CommandExecutionMode.SKIP)
      execution.assertOptimized()
      execution
    }

  /**
   * True if Spark alone optimises the query to the same plan: Colocate replaces operators, which it notes, and
   * orders the joins of robust tables.
   */
  private def asByAlone(optimized: LogicalPlan): Boolean =
    BeforeRewrite.of(optimized).isEmpty && optimized.collectWithSubqueries {
      case LogicalRelation(files: HadoopFsRelation, _, _, _, _)
          if files.location.isInstanceOf[VersionedFiles] =>
        files
    }.isEmpty

  /** Planning leaves tags in a plan, so it is given a copy. */
  private def shuffles(session: SparkSession, optimized: LogicalPlan): Shuffles = {
    val state = session.sessionState
    EstimatedShuffles.of(session, state.conf)(QueryExecution.createSparkPlan(state.planner,
      optimized.clone()))
  }
}
