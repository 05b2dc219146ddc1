package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec

import io.colocate.exchange.partitioning.HashPartitionings

/**
 * The keys by which the topmost operators of a subplan group, in terms of its output.
 *
 * A join passes to each side the grouping keys of the other side, so that both can meet on the keys they
 * share: `agg by (a, b)` joined with `agg by (b, c)` meets on b.
 */
object GroupingKeysBelow {

  private val Depth = 6

  def apply(plan: SparkPlan): Seq[Seq[Expression]] =
    HashPartitionings.distinct(offers(plan, Depth)).take(4)

  private def offers(plan: SparkPlan, depth: Int): Seq[Seq[Expression]] = {
    val own = plan.requiredChildDistribution.collect { case c: ClusteredDistribution =>
      c.clustering
    }
    val below = if (depth == 0) Nil else plan.children.flatMap(offers(_, depth - 1))
    (own ++ below).map(_.flatMap(image(plan, _))).filter(_.nonEmpty)
  }

  private def image(plan: SparkPlan, key: Expression): Option[Expression] =
    plan.output.find(_.semanticEquals(key)).orElse {
      val list = plan match {
        case p: ProjectExec => p.projectList
        case a: BaseAggregateExec => a.resultExpressions
        case _ => Nil
      }
      list.collectFirst {
        case a @ Alias(source: Attribute, _) if source.semanticEquals(key) =>
          a.toAttribute
      }
    }
}
