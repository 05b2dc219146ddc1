package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/**
 * What a query reads, in two states. Every plan here has the columns of the leaf that it is for, with
 * the same ids.
 */
private[changes] trait States {

  /** A leaf with the rows that it had. */
  def old(leaf: LogicalPlan): LogicalPlan

  /** A leaf with the rows that it has now. */
  def now(leaf: LogicalPlan): LogicalPlan

  /** The rows by which the two differ; None if they are equal. */
  def change(leaf: LogicalPlan): Option[Signed]
}
