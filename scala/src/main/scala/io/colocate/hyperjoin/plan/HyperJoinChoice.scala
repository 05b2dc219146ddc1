package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.JoinType

import io.colocate.facts.joins.Side
import io.colocate.report.Reason

/**
 * How a join is done with fewer shuffles, or none.
 *
 * @param build     the side that is hashed; none where rows are sorted, as no group fits
 * @param reason    with the figures that speak for it
 * @param spared    shuffles that Spark alone would do, and this does not
 * @param moved     bytes that these shuffles would move, as far as filters can be judged
 * @param cost      in bytes that are read; what both this and Spark alone do may be left out
 * @param stockCost the same of Spark alone
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

  /** What is read more than once, and how much longer the task with most to read takes. */
  def readAgain(terms: CostParameters): Double = terms.moving(moved) - gain
}

private[hyperjoin] object HyperJoinChoice extends JoinSelectionHelper {

  def mayHash(joinType: JoinType, side: Side): Boolean =
    if (side == Side.Left) canBuildShuffledHashJoinLeft(joinType)
    else canBuildShuffledHashJoinRight(joinType)

  def buildSide(side: Side): BuildSide = if (side == Side.Left) BuildLeft else BuildRight
}
