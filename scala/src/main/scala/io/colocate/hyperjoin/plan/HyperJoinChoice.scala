package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.JoinType

import io.colocate.facts.joins.Side
import io.colocate.report.Reason

/**
 * How a join is done with fewer shuffles, or none.
 *
 * @param build     the side that is hashed; None if rows are sorted because no side can be hashed
 * @param reason    why it is chosen, with figures
 * @param spared    the number of shuffles that it saves over Spark's own plan
 * @param moved     estimated bytes that these shuffles would move
 * @param cost      in bytes read; work that Spark's own plan does too may be left out
 * @param stockCost the same for Spark's own plan
 */
final private[hyperjoin] case class HyperJoinChoice(
    left: SideInput,
    right: SideInput,
    build: Option[BuildSide],
    reason: Reason,
    spared: Int,
    moved: Double,
    cost: Double,
    stockCost: Double) {

  def gain: Double = stockCost - cost

  /** The cost of reading bytes more than once, and of waiting for the task that reads most. */
  def readAgain(terms: CostParameters): Double = terms.moving(moved) - gain
}

private[hyperjoin] object HyperJoinChoice extends JoinSelectionHelper {

  def mayHash(joinType: JoinType, side: Side): Boolean =
    if (side == Side.Left) canBuildShuffledHashJoinLeft(joinType)
    else canBuildShuffledHashJoinRight(joinType)

  def buildSide(side: Side): BuildSide = if (side == Side.Left) BuildLeft else BuildRight
}
