package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.memory.{Narrowed, PlanMemory}
import io.colocate.exchange.partitioning.{AllKeys, HashPartitionings}
import io.colocate.facts.expressions.FunctionOfKeys
import io.colocate.report.Reason

/**
 * The alternatives for a child whose rows one operator requires together (an aggregate, a window): leave
 * the rows in place if their partitioning satisfies the requirement, or shuffle them on the keys that Spark
 * would use, or on keys that an operator above prefers and the guard permits.
 */
final class ClusteredSearch(
    context: SearchContext,
    choices: (SparkPlan, Seq[Wish]) => Seq[Alternative]) {
  import context._

  def links(
      operator: SparkPlan,
      i: Int,
      asked: ClusteredDistribution,
      below: Seq[Wish]): Seq[Edge] = {
    val child = operator.children(i)
    val n = asked.requiredNumPartitions.getOrElse(usualPartitions)
    val wanted = InterestingPartitionings.within(below, asked)
    val passed =
      InterestingPartitionings.distinct(wanted :+ Wish.own(asked.clustering)).take(limit)
    val available = choices(child, passed)
    val inPlace = available.filter(_.partitioning.satisfies(asked)).map(left(_))
    val cheapest = available.minBy(_.cost)
    val enough = cheapest.partitioning.satisfies(asked)
    val shuffled = hashable(operator, i, asked, wanted, n).flatMap { case (keys, evidence) =>
      val usual = HashPartitionings.sameKeys(keys, asked.clustering)
      val narrowed = evidence.map(Narrowed(operator.nodeName, asked.clustering, keys, _))
      PlannedExchange.hashing(keys, n, shuffle(child, keys, n), usual,
        addedBySpark = usual && !enough && !cheapest.withdrawn, wished = below.nonEmpty)
        .map(x => Edge(cheapest, Some(x), narrowed))
    }
    inPlace ++ shuffled
  }

  /** The keys that the rows may be hashed on: Spark's own, then interesting ones that the guard permits. */
  private def hashable(
      operator: SparkPlan,
      i: Int,
      asked: ClusteredDistribution,
      wanted: Seq[Wish],
      n: Int): Seq[(Seq[Expression], Option[Reason])] = {
    val child = operator.children(i)
    val all = (asked.clustering, None)
    val different = wanted.filterNot(w => HashPartitionings.sameKeys(w.keys, asked.clustering))
    val others =
      if (asked.requireAllClusterKeys) {
        different.foreach(w => refuse(operator, asked.clustering, AllKeys.reason(w.keys, asked)))
        Nil
      } else {
        different.flatMap { wish =>
          if (covers(wish.keys, asked.clustering)) Some((wish.keys, None))
          else
            admit(operator, child, wish.keys, asked.clustering, n, wish.exact)
              .map(evidence => (wish.keys, Some(evidence)))
        }
      }
    (all +: others).foreach { case (keys, _) => sharing.consider(child, keys) }
    val open = preferring(all +: others) { case (keys, _) => sharing.allows(child, keys) }
    settled.keys(operator, i, asked).fold(open) { chosen =>
      preferring(open) { case (keys, _) => PlanMemory.texts(keys) == chosen }
    }
  }

  private def covers(keys: Seq[Expression], required: Seq[Expression]): Boolean =
    required.forall(r =>
      keys.exists(k =>
        k.semanticEquals(r) ||
          FunctionOfKeys.keepsValues(k) && k.references.exists(_.semanticEquals(r))))
}
