package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeLike, REPARTITION_BY_COL, REPARTITION_BY_NUM}

import io.colocate.exchange.partitioning.{HashPartitionings, PartitioningStub, Requirement}
import io.colocate.facts.expressions.FunctionOfKeys
import io.colocate.facts.proved.Together

/**
 * Finds the cheapest alternatives for every operator of a plan.
 *
 * Dynamic programming over "interesting" partitionings, as in System R's interesting orders and in PDW
 * (Shankar et al., SIGMOD 2012): interesting partitionings are passed down ([[InterestingPartitionings]]),
 * and on the way up each operator keeps its cheapest alternative for each partitioning that interests an
 * operator above, with a shuffle as the enforcer. The search asks Spark how an operator's partitioning
 * follows from those of its children ([[PartitioningStub]]), so it can miss a chance but cannot assume a
 * partitioning that Spark would not.
 *
 * It is bounded: each operator keeps at most `limit` alternatives and interesting partitionings.
 */
final class Search(context: SearchContext) {
  import context._

  private val together = new ClusteredSearch(context, choices)
  private val aligned = new CoPartitionedSearch(context, choices)
  private val unions = new UnionSearch(context, choices)
  private val equalColumns = new EqualColumns(proofs)
  private val determinedKeys = new DeterminedKeys(context)

  /** The cheapest choice for a whole plan. */
  def best(plan: SparkPlan): Alternative = choices(plan, Nil).minBy(_.cost)

  private def choices(operator: SparkPlan, wishes: Seq[Wish]): Seq[Alternative] = {
    val needs = Requirement.of(operator)
    val found =
      if (isFixed(operator)) fixed(operator, wishes)
      else if (needs.exists(_.isInstanceOf[Requirement.Aligned]))
        aligned.of(operator, needs, wishes)
      else
        operator match {
          case union: UnionExec => unions.of(union, wishes)
          case _ => independent(operator, needs, wishes)
        }
    val claimed = found.flatMap(KeptRows.alternatives(_, wishes))
      .flatMap(equalColumns.alternatives(_, wishes))
      .flatMap(NormalisedKeys.alternatives(_, wishes))
      .flatMap(OuterJoinKeys.alternatives(_, wishes))
      .flatMap(determinedKeys.alternatives(_, wishes))
    prune(claimed, wishes)
  }

  // Leaves, and the user's own repartition: their partitioning is given.

  private def isFixed(operator: SparkPlan): Boolean = operator match {
    case s: ShuffleExchangeLike =>
      s.shuffleOrigin == REPARTITION_BY_COL || s.shuffleOrigin == REPARTITION_BY_NUM
    case leaf => leaf.children.isEmpty
  }

  private def fixed(operator: SparkPlan, wishes: Seq[Wish]): Seq[Alternative] = {
    val links = operator.children.map(c => Edge(choices(c, Nil).minBy(_.cost), None))
    val partitioning = operator match {
      case leaf if leaf.children.isEmpty => leaf.outputPartitioning
      case shuffle => PartitioningStub.partitioningOf(shuffle, links.map(_.partitioning))
    }
    Alternative(operator, links, partitioning, links.map(_.cost).sum).servingMore(wishes)
  }

  // Operators whose children do not depend on each other's partitioning.

  private def independent(
      operator: SparkPlan,
      needs: Seq[Requirement],
      wishes: Seq[Wish]): Seq[Alternative] = {
    val options = operator.children.indices.map(i => links(operator, i, needs(i), wishes))
    val cheapest = options.map(_.minBy(_.cost))
    // One child at a time departs from its cheapest link.
    val combinations = cheapest +: options.zipWithIndex.flatMap { case (others, i) =>
      others.filterNot(_ eq cheapest(i)).map(other => cheapest.updated(i, other))
    }
    combinations.map(Alternative.of(operator, _))
  }

  private def links(
      operator: SparkPlan,
      i: Int,
      need: Requirement,
      wishes: Seq[Wish]): Seq[Edge] = {
    val child = operator.children(i)
    lazy val below = wishesBelow(operator, i, wishes)
    need match {
      case Requirement.Free => choices(child, below).map(Edge(_, None))
      case Requirement.Together(distribution) => together.links(operator, i, distribution, below)
      case Requirement.Given(_: BroadcastDistribution) =>
        // Already planned as a query of its own.
        Seq(Edge(Alternative(child, Nil, UnknownPartitioning(1), 0.0), None))
      case Requirement.Given(distribution) =>
        val only = choices(child, Nil).minBy(_.cost)
        Seq(Edge(only, givenExchange(only, distribution)))
      case Requirement.Aligned(_) => throw new IllegalStateException("handled by aligned")
    }
  }

  /** The shuffle that Spark adds if there is only one way, for the cost and the partitioning. */
  private def givenExchange(below: Alternative, asked: Distribution): Option[PlannedExchange] =
    asked match {
      case _ if below.partitioning.satisfies(asked) => None
      case _ =>
        val partitioning =
          asked.createPartitioning(asked.requiredNumPartitions.getOrElse(usualPartitions))
        val moved = cost.shuffle(below.operator, Nil, partitioning.numPartitions)
        Some(PlannedExchange(partitioning, moved, emitted = false))
    }

  /** The cheapest choice for each interesting partitioning, and the cheapest of the rest. */
  private def prune(found: Seq[Alternative], wishes: Seq[Wish]): Seq[Alternative] = {
    if (found.length <= 1) found
    else {
      val byPartitioning = found.groupBy(c => described(c.partitioning, wishes))
      byPartitioning.values.map(_.minBy(_.cost)).toSeq.sortBy(_.cost).take(limit)
    }
  }

  private def described(partitioning: Partitioning, wishes: Seq[Wish]): Set[Any] = {
    val useful = HashPartitionings.hashes(partitioning).filter { h =>
      wishes.exists(w => h.keys.forall(isAmong(_, w.keys)))
    }
    val together = HashPartitionings.members(partitioning).collect {
      case t: Together if wishes.exists(w => t.keys.forall(isAmong(_, w.keys))) =>
        t.keys.map(_.canonicalized)
    }
    if (useful.isEmpty && together.isEmpty) Set[Any](partitioning == SinglePartition)
    else (useful.map(h => (h.keys.map(_.canonicalized), h.n, h.co)) ++ together).toSet
  }

  /** Rows hashed on functions of the interesting keys are together for those keys too. */
  private def isAmong(key: Expression, wished: Seq[Expression]): Boolean =
    wished.exists(_.semanticEquals(key)) || FunctionOfKeys(key, wished)
}
