package io.colocate.claims.declared

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.CommandExecutionMode
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.ColocateConf

/** Checks all that is declared of the tables that a query reads, also through caches and in subqueries. */
object CheckedTables {

  /**
   * Each table with its declarations.
   *
   * @throws DependencyViolated for the first declaration that is not true
   */
  def apply(session: SparkSession, query: LogicalPlan): Seq[(TableRead, Seq[Stated])] = {
    val conf = session.sessionState.conf
    val declared = ColocateConf.Dependencies(conf)
    val plan = SQLConf.withExistingConf(conf) {
      session.sessionState.executePlan(query, CommandExecutionMode.SKIP).normalized
    }
    val tables = for {
      leaf <- plan.collectWithSubqueries { case leaf if leaf.children.isEmpty => leaf }
      read <- TableRead.of(leaf)
    } yield (leaf, read, Stated.of(read, declared))
    tables.distinctBy { case (_, read, stated) => (read.identity, stated) }.map {
      case (leaf, read, stated) =>
        stated.foreach(new DependencyCheck(session, leaf, conf).apply(read, _))
        read -> stated
    }
  }
}
