package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical.{HashPartitioning, Partitioning}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import io.colocate.adaptive.Withdrawn
import io.colocate.exchange.memory.{Narrowed, PlanMemory}
import io.colocate.exchange.partitioning.{CoHashPartitioning, ColocateLayoutClaim, HashPartitionings, PartitioningStub, Rebuilt, Requirement, UsersRepartition}

/**
 * One way of computing an operator's rows.
 *
 * @param operator as it stands in the plan, its children untouched
 * @param links    what stands below each child's edge
 * @param layout   where the rows lie, as Spark derives it
 * @param cost     see [[CostModel]]
 * @param claim    what must be told of the rows so that Spark sees the layout
 * @param split    true where Spark should be free to split skewed partitions of this operator
 */
final case class Alternative(
    operator: SparkPlan,
    links: Seq[Edge],
    layout: Partitioning,
    cost: Double,
    claim: Option[Claim] = None,
    split: Boolean = false) {

  /** True where the layout that Spark sees here must not be relied upon (see [[SkewedStages]]). */
  def withdrawn: Boolean = split || links.exists(l => l.exchange.isEmpty && l.below.withdrawn)

  /** True where there are as many partitions as the user has asked for. */
  lazy val hasUsersNumber: Boolean = UsersRepartition.is(operator) ||
    links.exists(l => l.exchange.isEmpty && l.below.hasUsersNumber)

  /** The same with a claim above, laid out as the claim will say. */
  def claiming(claim: Claim): Alternative = {
    val stub = PartitioningStub(operator.output, layout)
    copy(layout = ColocateLayoutClaim(stub, claim.equal, claim.shared).outputPartitioning,
      cost = cost + Alternative.ClaimCost, claim = Some(claim))
  }

  /** The shuffles of this choice, each with the operator whose rows it moves. */
  def shuffles: Seq[(SparkPlan, Partitioning)] =
    links.flatMap(l => l.exchange.map(l.below.operator -> _.layout) ++ l.below.shuffles)

  /** Where rows lie on fewer keys than are required, and why they may. */
  def narrowed: Seq[Narrowed] = links.flatMap(l => l.below.narrowed ++ l.narrowed)

  /** Remembers the shuffles of this choice that Spark would not choose by itself. */
  def settle(memory: PlanMemory): Unit = ownShuffles.foreach { case (operator, i, asked, layout) =>
    memory.settle(operator, i, asked, layout)
  }

  /** True where Spark must be told of a layout. */
  def claims: Boolean = claim.nonEmpty || links.exists(_.below.claims)

  /** True where every such shuffle was settled in an earlier round. */
  def isSettled(memory: PlanMemory): Boolean =
    ownShuffles.forall { case (operator, i, asked, layout) =>
      memory.keys(operator, i, asked).contains(PlanMemory.texts(layout))
    }

  /** The operator and its child, the keys that are required there, and where the rows are put. */
  private def ownShuffles: Seq[(SparkPlan, Int, Seq[Expression], Partitioning)] = {
    val here = for {
      (link, i) <- links.zipWithIndex
      exchange <- link.exchange if exchange.emitted
      asked <- Requirement.keys(operator, i)
    } yield (operator, i, asked, exchange.layout)
    here ++ links.flatMap(_.below.ownShuffles)
  }
}

/**
 * An edge of the plan.
 *
 * @param below    what stands below
 * @param exchange the shuffle on it, if any
 * @param narrowed where the rows lie on fewer keys than the guard lets pass unasked
 * @param again    the cost of computing rows again that a shuffle would have kept for other uses
 */
final case class Edge(
    below: Alternative,
    exchange: Option[PlannedExchange],
    narrowed: Option[Narrowed] = None,
    again: Double = 0.0) {
  def layout: Partitioning = exchange.fold(below.layout)(_.layout)
  def cost: Double = below.cost + exchange.fold(0.0)(_.cost) + again
}

/**
 * A shuffle that the search puts on an edge.
 *
 * @param layout  where it places the rows
 * @param emitted false where Spark adds just this shuffle by itself
 */
final case class PlannedExchange(layout: Partitioning, cost: Double, emitted: Boolean)

object PlannedExchange {

  /**
   * A shuffle as Spark would plan it, where it is the usual one, and as a layout that serves more,
   * where somebody above might make use of that.
   *
   * @param addedBySpark true where Spark adds the usual shuffle by itself
   */
  def hashing(
      keys: Seq[Expression],
      n: Int,
      moved: Double,
      usual: Boolean,
      addedBySpark: Boolean,
      wished: Boolean): Seq[PlannedExchange] = {
    val plain =
      if (usual) Seq(PlannedExchange(HashPartitioning(keys, n), moved, !addedBySpark))
      else Nil
    val shared =
      if (!usual || wished)
        Seq(PlannedExchange(new CoHashPartitioning(keys, n), moved + Alternative.ClaimCost,
          emitted = true))
      else Nil
    plain ++ shared
  }
}

/** The arguments of a [[ColocateLayoutClaim]]. */
final case class Claim(equal: Seq[(Attribute, Attribute)], shared: Boolean)

object Alternative {

  /** Makes the plan without a claim win where both cost the same. */
  val ClaimCost: Double = 1.0

  /** The operator above these links, laid out as Spark says. */
  def of(operator: SparkPlan, links: Seq[Edge]): Alternative =
    Alternative(operator, links, PartitioningStub.layoutOf(operator, links.map(_.layout)),
      links.map(_.cost).sum)

  /** The plan that a choice stands for, with the shuffles that Spark would not add itself. */
  def emit(choice: Alternative): SparkPlan = {
    val children = choice.links.zipWithIndex.map { case (link, i) =>
      val child = emit(link)
      if (servesByFunctions(choice.operator, i, link.layout)) claiming(child) else child
    }
    val operator = Rebuilt(choice.operator, children)
    choice.claim.fold(operator)(c => ColocateLayoutClaim(operator, c.equal, c.shared))
  }

  private def emit(link: Edge): SparkPlan = link.exchange match {
    case Some(exchange) if exchange.emitted =>
      val shuffle = ShuffleExchangeExec(exchange.layout, emit(link.below))
      if (link.below.withdrawn) Withdrawn.mark(shuffle)
      shuffle
    case _ => emit(link.below)
  }

  /** True where a layout is on functions of the keys, which coalescing would make Spark forget. */
  private[exchange] def servesByFunctions(
      operator: SparkPlan,
      i: Int,
      layout: => Partitioning): Boolean =
    Requirement.of(operator)(i) match {
      case Requirement.Together(asked) =>
        val there = layout
        val hashes = HashPartitionings.hashes(there)
        hashes.exists(_.co) && there.satisfies(asked) &&
        !hashes.exists(h => HashPartitionings.positions(h.keys, asked.clustering).isDefined)
      case _ => false
    }

  /** Spark merges a final aggregate with a partial one right below it, so the claim goes deeper. */
  private[exchange] def claiming(plan: SparkPlan): SparkPlan = plan match {
    case partial: BaseAggregateExec if partial.requiredChildDistributionExpressions.isEmpty =>
      partial.withNewChildren(Seq(claiming(partial.child)))
    case claimed: ColocateLayoutClaim if claimed.shared => claimed
    case other => ColocateLayoutClaim(other, Nil, shared = true)
  }
}
