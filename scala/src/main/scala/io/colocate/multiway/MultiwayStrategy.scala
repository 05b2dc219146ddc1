package io.colocate.multiway

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, DirectShufflePartitionID}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.plans.physical.ShufflePartitionIdPassThrough
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{BroadcastQueryStageExec, LogicalQueryStage, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.exchange.{REPARTITION_BY_NUM, ShuffleExchangeExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.IntegerType

import io.colocate.multiway.cells.{ColocateCells, Role}
import io.colocate.multiway.decide.{Broadcasts, Cube, Placement, PlacementChoice}
import io.colocate.multiway.exec.{ColocateHyperCubeJoin, ColocateMultiwayJoin}
import io.colocate.multiway.graph.{MultiwayFindings, MultiwayJoin}
import io.colocate.report.{InternalError, Reason}
import io.colocate.rule.{PlanRule, PlansLater, RulePart, RuleRunner}

/**
 * Plans a multiway join: one of the largest inputs drives, the others are broadcast. If these are too
 * large, all inputs are shuffled into cells, even if this turns out only once they have been read.
 */
final class MultiwayStrategy(session: SparkSession)
    extends PlanRule[LogicalPlan, Seq[SparkPlan]]
    with PlansLater {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: MultiwayJoin => Seq(planned(join))
    case _ => Nil
  }

  /**
   * The choice is made once. Adaptive execution plans the node again when inputs have been moved; by
   * then they are relations in our own form, which Spark's joins cannot use.
   */
  private def planned(join: MultiwayJoin): SparkPlan = join.getTagValue(Placement.Tag) match {
    case Some(Right(placement)) => physical(join, placement)
    case Some(Left(_)) => planLater(join.binary)
    case None =>
      RuleRunner.part(RulePart.MultiwayPlacement)(planLater(join.binary))(chosen(join)) { error =>
        declined(join, InternalError(RulePart.MultiwayPlacement.name, error))
      }
  }

  private def chosen(join: MultiwayJoin): SparkPlan = {
    val choice = new PlacementChoice(join, SQLConf.get, session.sparkContext)
    val placement = choice.choose(driver => broadcasting(join, Broadcasts(driver)).depth)
    val planned = physical(join, placement)
    // Computes what it requires of its inputs now, while a failure still leaves Spark's joins.
    planned.requiredChildDistribution
    join.setTagValue(Placement.Tag, Right(placement))
    placement match {
      case cube: Cube =>
        MultiwayFindings.placed(join, cube.reason(choice.broadcastBytes(cube.driver), choice.limit))
      case _: Broadcasts =>
    }
    planned
  }

  private def declined(join: MultiwayJoin, reason: Reason): SparkPlan = {
    join.setTagValue(Placement.Tag, Left(reason))
    val binary = join.binary
    MultiwayFindings.withdrawn(join, reason,
      join +: binary.collectFirst { case top: Join => top }.toSeq)
    planLater(binary)
  }

  private def unsent(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case LogicalQueryStage(read, _: BroadcastQueryStageExec) => unsent(read)
  }

  private def physical(join: MultiwayJoin, placement: Placement): SparkPlan = placement match {
    case broadcasts: Broadcasts => broadcasting(join, broadcasts)
    case cube: Cube =>
      val inputs = join.children.zip(cube.roles)
        .map { case (input, roles) => inCells(input, cube, roles) }
      ColocateHyperCubeJoin(cube.inOrder(inputs), cube.inOrder(join.keys),
        cube.inOrder(join.variables), cube.inOrder(join.demands), join.comparisons, join.conditions,
        join.output, join.counted, cube.cells, cube.sample)
  }

  private def broadcasting(join: MultiwayJoin, placement: Broadcasts): ColocateMultiwayJoin = {
    val planned = ColocateMultiwayJoin(placement.inOrder(join.children).map(planLater),
      placement.inOrder(join.keys), placement.inOrder(join.variables),
      placement.inOrder(join.demands), join.comparisons, join.conditions, join.output, join.counted,
      join.getTagValue(MultiwayJoin.Limited).contains(true))
    planned.setTagValue(ColocateMultiwayJoin.InCells,
      new ColocateMultiwayJoin.InCells(inCells(join, placement.driver, _)))
    planned
  }

  /** The join in cells. Its inputs are read again, as a broadcast relation no longer has rows. */
  private def inCells(join: MultiwayJoin, driver: Int, rows: Seq[Option[Long]]): SparkPlan = {
    val again = join.copy(children = join.children.map(unsent))
    val counted = rows.patch(driver, Seq(None), 0)
    val choice = new PlacementChoice(again, SQLConf.get, session.sparkContext, counted)
    again.setTagValue(Placement.Tag, Right(choice.cube(driver)))
    QueryExecution.prepareExecutedPlan(session.asInstanceOf[ClassicSession], again)
  }

  /** An input whose rows are sent to their cells. */
  private def inCells(input: LogicalPlan, cube: Cube, roles: Seq[Role]): SparkPlan =
    input match {
      case LogicalQueryStage(_, stage: ShuffleQueryStageExec) if sends(stage, cube, roles) =>
        planLater(input)
      case _ =>
        val cell = AttributeReference("cell", IntegerType, nullable = false)()
        val cells = cube.cells.planned.count
        val partitioning = ShufflePartitionIdPassThrough(DirectShufflePartitionID(cell), cells)
        // Adaptive execution does not coalesce the partitions of a shuffle that looks like the user's own.
        val shuffle = ShuffleExchangeExec(partitioning,
          ColocateCells(cube.cells, roles, input.output, cell, cube.sample, planLater(input)),
          REPARTITION_BY_NUM)
        // Once adaptive execution has run the shuffle, its stage stands for the input, not for the join.
        shuffle.setLogicalLink(input)
        shuffle
    }

  /** True for the stage of exactly this shuffle. */
  private def sends(stage: ShuffleQueryStageExec, cube: Cube, roles: Seq[Role]): Boolean =
    stage.shuffle.child match {
      case sender: ColocateCells => (sender.cells eq cube.cells) && sender.roles == roles
      case _ => false
    }
}
