package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan

/** An operator's requirement on the partitioning of one child, as far as the search can influence it. */
sealed trait Requirement
object Requirement {

  /** No requirement: the child's partitioning does not matter. */
  case object Free extends Requirement

  /** Rows that are equal on the keys must be together; any subset of the keys will do. */
  final case class Together(distribution: ClusteredDistribution) extends Requirement

  /** The same, with the other children partitioned alike (a shuffled join, a cogroup). */
  final case class Aligned(distribution: ClusteredDistribution) extends Requirement

  /** A requirement that Spark fulfils in only one way: one partition, an order, a broadcast. */
  final case class Given(distribution: Distribution) extends Requirement

  /**
   * True if Spark would add no shuffle to child `i`, were the children partitioned so. Where they are not
   * partitioned alike, it says of each of them that one would be added.
   */
  def isMet(operator: SparkPlan, children: Seq[Partitioning], i: Int): Boolean =
    of(operator)(i) match {
      case Free => true
      case Together(asked) => children(i).satisfies(asked)
      case Given(asked) => children(i).satisfies(asked)
      case Aligned(_) =>
        val specs = children.zip(of(operator)).collect { case (there, Aligned(asked)) =>
          Option.when(there.satisfies(asked))(there.createShuffleSpec(asked))
        }
        specs.forall(_.nonEmpty) && specs.flatten.combinations(2).forall { case Seq(one, other) =>
          one.isCompatibleWith(other)
        }
    }

  /** The keys by which child `i` must be partitioned. */
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
