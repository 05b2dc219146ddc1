package io.colocate.rule

import org.apache.spark.sql.catalyst.analysis.LeafNodeWithoutStats
import org.apache.spark.sql.catalyst.plans.logical.{Command, CommandResult, LogicalPlan}

/** Tells queries from statements that have none in them, such as SET, RESET and SHOW TABLES. */
object Statements {

  /**
   * False where there are no rows to plan for. Such a statement must not ask for settings of ours: it may be the
   * one that mends a wrong value.
   */
  def hasQuery(plan: LogicalPlan): Boolean = plan match {
    case _: CommandResult => false
    case command: Command =>
      command.collectLeaves().exists {
        case _: LeafNodeWithoutStats => false
        case leaf => leaf ne command
      }
    case _ => true
  }
}
