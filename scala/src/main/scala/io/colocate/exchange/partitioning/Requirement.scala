package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan

/** What an operator asks of one child's layout, as far as the search has a say in it. */
sealed trait Requirement
object Requirement {

  /** Nothing: the child's layout passes by. */
  case object Free extends Requirement

  /** Rows that are equal on the keys together; any subset of the keys will do. */
  final case class Together(distribution: ClusteredDistribution) extends Requirement

  /** The same, and the other children laid out alike (a shuffled join, a cogroup). */
  final case class Aligned(distribution: ClusteredDistribution) extends Requirement

  /** Something that Spark fulfils in one way only: one partition, an order, a broadcast. */
  final case class Given(distribution: Distribution) extends Requirement

  /** The keys that child `i` is required to be laid out by. */
  def keys(operator: SparkPlan, i: Int): Option[Seq[Expression]] =
    operator.requiredChildDistribution(i) match {
      case c: ClusteredDistribution => Some(c.clustering)
      case _ => None
    }

  def of(operator: SparkPlan): Seq[Requirement] = {
    val asked = operator.requiredChildDistribution
    val clustered = asked.count(_.isInstanceOf[ClusteredDistribution])
    asked.map {
      case UnspecifiedDistribution => Free
      case c: ClusteredDistribution if clustered == 1 => Together(c)
      case c: ClusteredDistribution => Aligned(c)
      case other => Given(other)
    }
  }
}
