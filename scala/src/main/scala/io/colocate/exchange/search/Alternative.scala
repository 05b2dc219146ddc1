package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.{HashPartitioning, Partitioning}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import io.colocate.adaptive.Withdrawn
import io.colocate.exchange.claims.{ClaimFact, ColocateClaim, ServesMoreKeys}
import io.colocate.exchange.memory.{Narrowed, PlanMemory}
import io.colocate.exchange.partitioning.{CoHashPartitioning, HashPartitionings, PartitioningStub, Rebuilt, Requirement, UsersRepartition}

/**
 * One way of computing an operator's rows.
 *
 * @param operator the operator as it is in the plan, with its children unchanged
 * @param links    the inputs, one for each child
 * @param partitioning   the output partitioning, as Spark derives it
 * @param cost     see [[CostModel]]
 * @param facts    what must be declared of the rows so that Spark sees the partitioning
 * @param split    true if Spark should be free to split skewed partitions of this operator
 */
final case class Alternative(
    operator: SparkPlan,
    links: Seq[Edge],
    partitioning: Partitioning,
    cost: Double,
    facts: Seq[ClaimFact] = Nil,
    split: Boolean = false) {

  /**
   * True if operators above must not rely on the partitioning that Spark sees here (see [[SkewedStages]]).
   */
  def withdrawn: Boolean = split || links.exists(l => l.exchange.isEmpty && l.below.withdrawn)

  /** True if the user has asked for this number of partitions. */
  lazy val hasUsersNumber: Boolean = UsersRepartition.is(operator) ||
    links.exists(l => l.exchange.isEmpty && l.below.hasUsersNumber)

  /** The same with a fact declared above, and with the partitioning that follows from it. */
  def claiming(fact: ClaimFact*): Alternative = {
    val stub = PartitioningStub.over(operator, links.map(_.partitioning))
    copy(partitioning = ClaimFact.derive(fact, stub, partitioning),
      cost = cost + Alternative.ClaimCost, facts = facts ++ fact)
  }

  /** This, and the same where its partitioning serves more keys, if an operator above may use that. */
  def servingMore(wishes: Seq[Wish]): Seq[Alternative] = {
    val claimable = wishes.nonEmpty && !hasUsersNumber &&
      HashPartitionings.hashes(partitioning).exists(!_.co)
    if (claimable) Seq(this, claiming(ServesMoreKeys)) else Seq(this)
  }

  /** The shuffles of this choice, each with the operator whose rows it moves. */
  def shuffles: Seq[(SparkPlan, Partitioning)] =
    links.flatMap(l => l.exchange.map(l.below.operator -> _.partitioning) ++ l.below.shuffles)

  /** The places where rows are hashed on fewer keys than are required, with the evidence for each. */
  def narrowed: Seq[Narrowed] = links.flatMap(l => l.below.narrowed ++ l.narrowed)

  /** Remembers the shuffles of this choice that Spark would not choose by itself. */
  def settle(memory: PlanMemory): Unit = ownShuffles.foreach {
    case (operator, i, asked, partitioning) =>
      memory.settle(operator, i, asked, partitioning)
  }

  /** True if every such shuffle was settled in an earlier round. */
  def isSettled(memory: PlanMemory): Boolean =
    ownShuffles.forall { case (operator, i, asked, partitioning) =>
      memory.keys(operator, i, asked).contains(PlanMemory.texts(partitioning))
    }

  /** For each such shuffle, the operator and its child, the keys required there, and the partitioning. */
  private def ownShuffles: Seq[(SparkPlan, Int, Seq[Expression], Partitioning)] = {
    val here = for {
      (link, i) <- links.zipWithIndex
      exchange <- link.exchange if exchange.emitted
      asked <- Requirement.keys(operator, i)
    } yield (operator, i, asked, exchange.partitioning)
    here ++ links.flatMap(_.below.ownShuffles)
  }
}

/**
 * An edge of the plan.
 *
 * @param below    the alternative below the edge
 * @param exchange the shuffle on it, if any
 * @param narrowed set if the rows are hashed on fewer keys than the operator requires
 * @param again    the cost of computing rows again that a shuffle would have kept for other uses
 */
final case class Edge(
    below: Alternative,
    exchange: Option[PlannedExchange],
    narrowed: Option[Narrowed] = None,
    again: Double = 0.0) {
  def partitioning: Partitioning = exchange.fold(below.partitioning)(_.partitioning)
  def cost: Double = below.cost + exchange.fold(0.0)(_.cost) + again
}

/**
 * A shuffle that the search puts on an edge.
 *
 * @param partitioning  the partitioning that it creates
 * @param emitted false if Spark adds exactly this shuffle by itself
 */
final case class PlannedExchange(partitioning: Partitioning, cost: Double, emitted: Boolean)

object PlannedExchange {

  /**
   * A shuffle as Spark would plan it, if it is the usual one, and one whose partitioning serves more keys,
   * if an operator above may use that.
   *
   * @param addedBySpark true if Spark adds the usual shuffle by itself
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

object Alternative {

  /** Makes the plan without a claim win if both cost the same. */
  val ClaimCost: Double = 1.0

  /** The operator above these links, with the output partitioning that Spark derives. */
  def of(operator: SparkPlan, links: Seq[Edge]): Alternative =
    Alternative(operator, links,
      PartitioningStub.partitioningOf(operator, links.map(_.partitioning)), links.map(_.cost).sum)

  /** The plan of a choice, with the shuffles that Spark would not add itself. */
  def emit(choice: Alternative): SparkPlan = {
    val children = choice.links.zipWithIndex.map { case (link, i) =>
      val child = emit(link)
      if (servesByFunctions(choice.operator, i, link.partitioning)) claiming(child) else child
    }
    val operator = Rebuilt(choice.operator, children)
    if (choice.facts.isEmpty) operator else ColocateClaim(operator, choice.facts)
  }

  private def emit(link: Edge): SparkPlan = link.exchange match {
    case Some(exchange) if exchange.emitted =>
      val shuffle = ShuffleExchangeExec(exchange.partitioning, emit(link.below))
      if (link.below.withdrawn) Withdrawn.mark(shuffle)
      shuffle
    case _ => emit(link.below)
  }

  /**
   * True if the operator needs a partitioning on functions of its keys, which Spark forgets when it
   * coalesces partitions.
   */
  private[exchange] def servesByFunctions(
      operator: SparkPlan,
      i: Int,
      partitioning: => Partitioning): Boolean =
    Requirement.of(operator)(i) match {
      case Requirement.Together(asked) =>
        val there = partitioning
        val hashes = HashPartitionings.hashes(there)
        hashes.exists(_.co) && there.satisfies(asked) &&
        !hashes.exists(h => HashPartitionings.positions(h.keys, asked.clustering).isDefined)
      case _ => false
    }

  /**
   * Puts the claim below a partial aggregate, because Spark merges a final aggregate with a partial one
   * right below it.
   */
  private[exchange] def claiming(plan: SparkPlan): SparkPlan = plan match {
    case partial: BaseAggregateExec if partial.requiredChildDistributionExpressions.isEmpty =>
      partial.withNewChildren(Seq(claiming(partial.child)))
    case claimed: ColocateClaim if claimed.facts.contains(ServesMoreKeys) => claimed
    case other => ColocateClaim(other, Seq(ServesMoreKeys))
  }
}
