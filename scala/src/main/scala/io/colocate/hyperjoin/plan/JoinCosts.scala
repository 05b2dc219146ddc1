package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.optimizer.JoinSelectionHelper
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.internal.SQLConf

/**
 * Compares the costs of inner joins before any of them is planned ([[JoinOrder]]).
 *
 * The first read of the inputs is left out: every join order needs it.
 */
final private[hyperjoin] class JoinCosts(planner: HyperJoinPlanner, conf: SQLConf)
    extends JoinSelectionHelper {

  /** The cost of a join as it would be planned; None if one side is broadcast. */
  def apply(join: Join): Option[Price] = planner(join) match {
    case Some(Right(choice)) => Some(price(join, choice))
    case _ if canPlanAsBroadcastHashJoin(join, conf) => None
    case _ => Some(shuffled(join.children))
  }

  /** The same, but None unless two robust tables are joined without a shuffle. */
  def withoutShuffle(join: Join): Option[Price] =
    planner(join).flatMap(_.toOption).filter(_.spared == 2).map(price(join, _))

  private def price(join: Join, choice: HyperJoinChoice): Price = {
    val supplies = Seq(join.left -> choice.left, join.right -> choice.right)
    val moved = shuffled(supplies.collect { case (side, _: SideInput.Shuffle) => side })
    moved.copy(cost = moved.cost + choice.readAgain(planner.terms))
  }

  private def shuffled(sides: Seq[LogicalPlan]): Price = {
    val bytes = sides.map(side => rows(side).number * width(side)).sum
    Price(bytes, planner.terms.moving(bytes))
  }

  private def width(plan: LogicalPlan): Double =
    EstimationUtils.getSizePerRow(plan.output).toDouble

  private def rows(plan: LogicalPlan): Rows = TableSide.of(plan) match {
    case Some(table) =>
      val all = table.files.pruned.fold(table.files.rows)(_.rows).toDouble.max(1.0)
      Rows(all, table.files.rows / all * table.filtered)
    case None =>
      plan match {
        case Project(_, child) => rows(child)
        case Join(left, right, _: InnerLike, Some(_), _) => rows(left).lookedUp(rows(right))
        case other =>
          val stats = other.stats
          Rows(stats.rowCount.fold(stats.sizeInBytes.toDouble / width(other))(_.toDouble), 1.0)
      }
  }
}

/**
 * @param shuffled bytes that are shuffled
 * @param cost     in bytes that are read, see [[CostParameters]]
 */
final private[hyperjoin] case class Price(shuffled: Double, cost: Double) {
  def +(other: Price): Price = Price(shuffled + other.shuffled, cost + other.cost)
}

/**
 * An estimated number of rows.
 *
 * @param all  the rows of the largest table, whose keys are looked up in the others
 * @param part the share of them that the filters of all tables keep
 */
final private[hyperjoin] case class Rows(all: Double, part: Double) {
  def number: Double = all * part
  def lookedUp(other: Rows): Rows = Rows(all.max(other.all), part * other.part)
}
