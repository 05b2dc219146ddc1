package io.colocate.rule

import org.apache.spark.sql.catalyst.analysis.LeafNodeWithoutStats
import org.apache.spark.sql.catalyst.plans.logical.{Command, CommandResult, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION

/** What a statement consists of. */
object Statements {

  /**
   * False of statements such as SET, RESET and SHOW TABLES, with no rows to plan for. Such a statement must not read settings of Colocate: it may
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

  /** Whether a plan or a subquery of it has such a node. Plans without a subquery are not searched for any. */
  def have(plan: LogicalPlan)(node: LogicalPlan => Boolean): Boolean = plan.exists(node) ||
    plan.containsPattern(PLAN_EXPRESSION) && plan.subqueriesAll.exists(_.exists(node))
}
