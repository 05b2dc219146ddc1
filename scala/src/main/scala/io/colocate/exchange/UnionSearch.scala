package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{SparkPlan, UnionExec}

/**
 * The ways to lay out the branches of a union, which keeps a layout that all of them have: each as
 * is cheapest, or all by the keys of one wish.
 */
final class UnionSearch(context: SearchContext, choices: (SparkPlan, Seq[Wish]) => Seq[Choice]) {
  import context._

  def of(union: UnionExec, wishes: Seq[Wish]): Seq[Choice] = {
    val available =
      union.children.indices.map(i => choices(union.children(i), wishesBelow(union, i, wishes)))
    val cheapest = Choice.of(union, available.map(a => Link(a.minBy(_.cost), None)))
    val laidOut = wishes.flatMap { wish =>
      val links = union.children.indices.map { i =>
        val keys = Wanted.below(union, i, Seq(wish), keepsRows = true).headOption.map(_.keys)
        keys.filter(_.length == wish.keys.length).map(branch(union, i, available(i), _, wish))
      }
      if (links.exists(_.flatten.isEmpty)) None
      else Some(Choice.of(union, links.flatMap(_.flatten)))
    }
    cheapest +: laidOut
  }

  private def branch(
      union: UnionExec,
      i: Int,
      available: Seq[Choice],
      keys: Seq[Expression],
      wish: Wish): Option[Link] = {
    val child = union.children(i)
    val inPlace =
      available.filter(c => Layouts.lies(c.layout, keys, usualPartitions, shared = false))
        .map(Link(_, None))
    lazy val cheapest = available.minBy(_.cost)
    lazy val shuffled = Link(cheapest,
      Some(PlannedExchange(new CoHashPartitioning(keys, usualPartitions),
        shuffle(child, keys, usualPartitions), emitted = true)))
    // Above a union, a partial aggregate may shrink the rows first; by how much must be known.
    val worth = wish.exact || facts(child).distinct(keys).isDefined
    if (inPlace.nonEmpty) Some(inPlace.minBy(_.cost)) else Some(shuffled).filter(_ => worth)
  }
}
