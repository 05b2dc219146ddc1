package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{SparkPlan, UnionExec}

import io.colocate.exchange.partitioning.{CoHashPartitioning, HashPartitionings}

/**
 * The alternatives for the branches of a union, which keeps a partitioning that all of them have: each
 * branch's cheapest, or all by the keys of one interesting partitioning.
 */
final class UnionSearch(
    context: SearchContext,
    choices: (SparkPlan, Seq[Wish]) => Seq[Alternative]) {
  import context._

  def of(union: UnionExec, wishes: Seq[Wish]): Seq[Alternative] = {
    val told = InterestingPartitionings.branches(union, wishes)
    val available = union.children.zip(told).map { case (child, below) =>
      choices(child, InterestingPartitionings.distinct(below).take(limit))
    }
    val cheapest = Alternative.of(union, available.map(a => Edge(a.minBy(_.cost), None)))
    val laidOut = wishes.zipWithIndex.flatMap { case (wish, at) =>
      val links = union.children.indices.map { i =>
        val keys = told(i)(at).keys
        if (keys.length < wish.keys.length) None
        else branch(union.children(i), available(i), keys, wish)
      }
      if (links.exists(_.isEmpty)) None else Some(Alternative.of(union, links.flatten))
    }
    // Branches that are stored as they are needed make a union that is hashed as Spark hashes.
    (cheapest +: laidOut).flatMap(_.servingMore(wishes))
  }

  private def branch(
      child: SparkPlan,
      available: Seq[Alternative],
      keys: Seq[Expression],
      wish: Wish): Option[Edge] = {
    val inPlace =
      available.filter(c =>
        HashPartitionings.lies(c.partitioning, keys, usualPartitions, shared = false))
        .map(Edge(_, None))
    lazy val cheapest = available.minBy(_.cost)
    lazy val shuffled = Edge(cheapest,
      Some(PlannedExchange(new CoHashPartitioning(keys, usualPartitions),
        shuffle(child, keys, usualPartitions), emitted = true)))
    // A partial aggregate above a union may shrink the rows first; the reduction must be known.
    val worth = wish.exact || estimates(child).distinct(keys).isDefined
    if (inPlace.nonEmpty) Some(inPlace.minBy(_.cost)) else Some(shuffled).filter(_ => worth)
  }
}
