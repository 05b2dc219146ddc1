package io.colocate.exchange.replan

import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import io.colocate.exchange.claims.{ClaimFact, ColocateClaim}
import io.colocate.exchange.memory.PlanMemory
import io.colocate.exchange.partitioning.{HashPartitionings, PartitioningStub, Rebuilt, Requirement, UsersRepartition}
import io.colocate.exchange.search.Alternative

/**
 * Inserts the shuffles and the claims that an earlier planning of the query chose, without a search.
 *
 * {{{
 *   HashAggregate [a]                               HashAggregate [a]
 *   +- HashAggregate [a, b]                  =>     +- HashAggregate [a, b]
 *      +- ShuffleQueryStage hash(c)                    +- Exchange cohashpartitioning(a)    chosen at first
 *                                                         +- ShuffleQueryStage hash(c)
 * }}}
 *
 * Valid for any plan, because Spark verifies it, and as good as the search while the operators above the
 * stages stay the same. Counter-example: a join that has become a broadcast join, which needs no shuffle,
 * so that another choice may be better above it ([[Revisit]]).
 */
object Replay {

  def apply(plan: SparkPlan, memory: PlanMemory): SparkPlan =
    if (memory.adopted) placed(plan, memory) else plan

  private def placed(plan: SparkPlan, memory: PlanMemory): SparkPlan = plan match {
    case claim: ColocateClaim =>
      val known = memory.claims(claim.child).filterNot(claim.facts.contains)
      claiming(Rebuilt(claim, Seq(shuffled(claim.child, memory))), known)
    case operator => claiming(shuffled(operator, memory), memory.claims(operator))
  }

  private def claiming(rows: SparkPlan, facts: Seq[ClaimFact]): SparkPlan =
    if (facts.isEmpty) rows else ColocateClaim(rows, facts)

  private def shuffled(plan: SparkPlan, memory: PlanMemory): SparkPlan = {
    val below = plan.children.map(placed(_, memory))
    val children = below.zipWithIndex.map { case (child, i) => laidOut(plan, i, child, memory) }
    Rebuilt(plan, children)
  }

  private def laidOut(operator: SparkPlan, i: Int, child: SparkPlan, memory: PlanMemory) = {
    val chosen = for {
      asked <- Requirement.keys(operator, i)
      partitioning <- memory.partitioning(operator, i, asked) if !KeepOnePartition.areOne(operator)
    } yield {
      val moved = UsersRepartition.replaced(operator, i, child).getOrElse(child)
      if (Revisit.isShuffled(moved) || lies(moved, partitioning)) moved
      else ShuffleExchangeExec(partitioning, moved)
    }
    val rows = chosen.getOrElse(child)
    val serves =
      memory.byFunctions && Alternative.servesByFunctions(operator, i,
        PartitioningStub.partitioningOf(rows))
    if (serves) Alternative.claiming(rows) else rows
  }

  /** Two consecutive joins on one key have the same choice, and a shuffle for the lower one serves both. */
  private def lies(child: SparkPlan, chosen: Partitioning): Boolean = {
    lazy val present = PartitioningStub.partitioningOf(child)
    HashPartitionings.hashes(chosen).exists(h => HashPartitionings.lies(present, h.keys, h.n, h.co))
  }
}
