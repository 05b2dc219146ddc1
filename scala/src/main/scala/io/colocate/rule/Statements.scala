package io.colocate.rule

import org.apache.spark.sql.catalyst.analysis.LeafNodeWithoutStats
import org.apache.spark.sql.catalyst.plans.logical.{Command, CommandResult, LogicalPlan}

/** Distinguishes queries from statements that contain none, such as SET, RESET and SHOW TABLES. */
object Statements {

  /**
   * False if there are no rows to plan for. Such a statement must not read settings of Colocate: it may
   * be the one that corrects a wrong value.
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
