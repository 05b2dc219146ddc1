package io.colocate.exchange.memory

import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution.SparkPlan

/** What an earlier round of adaptive planning chose, in the form that the search needs. */
final class Settled(memory: PlanMemory) {

  /** The keys chosen for the rows of child `i`, as [[PlanMemory.texts]]. */
  def keys(operator: SparkPlan, i: Int, asked: ClusteredDistribution): Option[Seq[String]] =
    memory.keys(operator, i, asked.clustering)

  /** The positions of the join keys that were chosen for all children. */
  def positions(operator: SparkPlan, asked: Seq[ClusteredDistribution]): Option[Seq[Int]] =
    asked.zipWithIndex.flatMap { case (a, i) =>
      keys(operator, i, a).map(_.map(PlanMemory.texts(a.clustering).indexOf(_)))
    }.headOption.filterNot(_.contains(-1))
}
