package io.colocate.multiway.decide

import org.apache.spark.SparkContext
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.internal.SQLConf

import io.colocate.multiway.cells.{Box, CubeCells, HyperCubeShares, Role}
import io.colocate.multiway.graph.MultiwayJoin
import io.colocate.multiway.model.{BuildMemory, MostMemory}
import io.colocate.report.{Bytes, MultiwayReasons, Reason}
import io.colocate.rule.ColocateConf

/** Where the rows of a multiway join meet. */
sealed private[multiway] trait Placement {

  /** The input whose rows are only read, one after another. */
  def driver: Int

  /** The driver first, the others in their order. */
  def inOrder[T](inputs: Seq[T]): Seq[T] = inputs(driver) +: inputs.patch(driver, Nil, 1)
}

private[multiway] object Placement {

  /** The tag of a join: how it is done, or why it is done by joins of two inputs each. */
  val Tag: TreeNodeTag[Either[Reason, Placement]] =
    TreeNodeTag[Either[Reason, Placement]]("colocate.multiway.choice")
}

/** The driver's rows stay where they are, all other inputs are broadcast. */
final private[multiway] case class Broadcasts(driver: Int) extends Placement

/**
 * All inputs are shuffled into cells.
 *
 * @param roles the roles of the rows of each input: its own, and those of equal inputs, which are
 *              shuffled with it
 * @param sample a sample of keys, if some values may get cells of their own
 */
final private[multiway] case class Cube(
    driver: Int,
    cells: CubeCells,
    roles: Seq[Seq[Role]],
    sample: Option[Expression])
    extends Placement {

  /** For explain(). */
  def reason(bytes: BigInt, limit: BigInt): Reason = {
    val box = cells.planned
    val copies = roles.map(_.map(role => box.copies(role.variables)).sum).max
    Reason(MultiwayReasons.HyperCube, "bytes" -> Bytes.text(bytes.toDouble),
      "limit" -> Bytes.text(limit.toDouble), "cells" -> box.count.toString, "sides" -> box.text,
      "copies" -> copies.min(box.count).toString)
  }
}

/**
 * Chooses broadcasts if all inputs but one are small enough together, cells otherwise.
 *
 * @param counted rows of the inputs, if they have been read
 */
final private[multiway] class PlacementChoice(
    join: MultiwayJoin,
    conf: SQLConf,
    context: SparkContext,
    counted: Seq[Option[Long]] = Nil) {

  private val sizes = join.children.map(_.stats.sizeInBytes)
  private val forced = join.getTagValue(MultiwayJoin.Forced).contains(true)

  val limit: BigInt = BigInt(ColocateConf.MultiwayBroadcastBytes(conf))

  /** The bytes of the inputs but the driver, without unknown sizes if the user asked for the join. */
  def broadcastBytes(driver: Int): BigInt =
    join.children.indices.patch(driver, Nil, 1).distinctBy(join.children(_).canonicalized)
      .map(sizes).filterNot(bytes => forced && !Bytes.known(bytes)).sum

  /**
   * @param depth the depth of the join with an input as driver: how many variables are bound one below
   *              another. Of e(x, y), e(x, z), e(y, z), e(y, w), e(z, w) the third drives, as x and w
   *              are not connected. An input that is only checked for a row never drives.
   */
  def choose(depth: Int => Int): Placement = {
    val largest = join.joined.map(sizes).max
    val large = join.joined.filter(sizes(_) * 2 >= largest)
    val drivers = large.sortBy(i => (depth(i), -sizes(i), i))
    drivers.find(broadcastBytes(_) <= limit).map(seed(_, largest)) match {
      case Some(driver) => Broadcasts(driver)
      case None => cube(drivers.head)
    }
  }

  /**
   * The smallest input, if its rows are few beside the largest, and no more has to be broadcast for it: the
   * work is that of its rows then. A relation that only drives is broadcast if a smaller one does.
   */
  private def seed(driver: Int, largest: BigInt): Int = {
    val smallest = join.joined.minBy(i => (sizes(i), i))
    val few = sizes(smallest) * PlacementChoice.Few <= largest
    if (few && broadcastBytes(smallest) <= broadcastBytes(driver)) smallest else driver
  }

  /** @param driver the input whose rows are only read */
  def cube(driver: Int): Cube = {
    val keys = new KeySample(join)
    val box = this.box(driver)
    val cells = new CubeCells(box, sized, keys.counted)
    val samples = ColocateConf.MultiwayHeavyValues(conf) && box.count > 1
    Cube(driver, cells, roles, Option.when(samples)(keys.query))
  }

  private def sized: Seq[(Set[Int], Double)] =
    join.variables.map(_.toSet).zip(sizes.map(_.toDouble))

  /** As few cells as suffice, as each row is then repeated less often. */
  private def box(driver: Int): Box = {
    val variables = join.variables.flatten.max + 1
    val shares = new HyperCubeShares(sized, variables)
    val held = new HyperCubeShares(built(driver), variables)
    val usual = conf.numShufflePartitions
    val least = (PlacementChoice.CellsPerCore * context.defaultParallelism).min(usual)
    val wanted = conf.getConf(SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES).toDouble
    val memory = MostMemory.ofTask(context).toDouble
    def doubled(from: Int, until: Int) = Iterator.iterate(from)(_ * 2).takeWhile(_ < until)
    val numbers = doubled(least, usual) ++ doubled(usual, PlacementChoice.MostCells)
    val found = numbers.map(n => n -> shares.of(n)).to(LazyList)
    found.find { case (n, box) =>
      (shares.load(box) <= wanted || n >= usual) && held.load(box) <= memory
    }.getOrElse(found.last)._2
  }

  /** The variables of each input, and its bytes in a task's memory. The driver's rows are not held. */
  private def built(driver: Int): Seq[(Set[Int], Double)] = join.children.indices.map { i =>
    val child = join.children(i)
    val row = EstimationUtils.getSizePerRow(child.output).toDouble +
      BuildMemory.perRow(join.keys(i).map(_.dataType), child.output.length > join.keys(i).length)
    join.variables(i).toSet -> (if (i == driver) 0.0 else rows(i) * row)
  }

  /** If unknown, assumes a byte per value in a file; the rows of a computed input are not guessed. */
  private def rows(input: Int): Double = {
    val child = join.children(input)
    def guessed = if (stored(child)) sizes(input) / child.output.length.max(1) else BigInt(0)
    counted.lift(input).flatten.map(BigInt(_)).orElse(child.stats.rowCount).getOrElse(guessed)
      .toDouble
  }

  private def stored(plan: LogicalPlan): Boolean = plan match {
    case _: Project | _: Filter => stored(plan.children.head)
    case _: LogicalRelation => Bytes.known(plan.stats.sizeInBytes)
    case _ => false
  }

  private def roles: Seq[Seq[Role]] = {
    val own = join.children.indices.map(i => role(join.children(i), i))
    join.children.map { child =>
      own.indices.filter(i => join.children(i).sameResult(child)).map(own).distinct
    }
  }

  private def role(child: LogicalPlan, input: Int): Role =
    Role(join.keys(input).map(key => child.output.indexWhere(_.exprId == key.exprId)),
      join.variables(input))
}

private[multiway] object PlacementChoice {

  /** Several, so that a cell with more work than others does not hold up all. */
  private val CellsPerCore = 4

  /** A hundredth of the largest input is few. */
  private val Few = 100

  /** Each cell is a task, and each row goes to many of them. */
  private val MostCells = 4096
}
