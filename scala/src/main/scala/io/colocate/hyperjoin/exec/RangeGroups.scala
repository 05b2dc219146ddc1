package io.colocate.hyperjoin.exec

import org.apache.spark.sql.catalyst.expressions.{Expression, Unevaluable}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.types.{DataType, IntegerType}

/**
 * Rows with equal keys are in one partition, because the key ranges of the file groups do not touch. It
 * satisfies an aggregate or a window on these keys. It does not say how the rows of another plan would
 * have to be partitioned, so it satisfies no join.
 */
final case class RangeGroups(keys: Seq[Expression], numPartitions: Int)
    extends Expression
    with Partitioning
    with Unevaluable {

  override def children: Seq[Expression] = keys
  override def nullable: Boolean = false
  override def dataType: DataType = IntegerType

  override def satisfies0(required: Distribution): Boolean =
    super.satisfies0(required) || (required match {
      case asked: ClusteredDistribution =>
        val known = keys.forall(key => asked.clustering.exists(_.semanticEquals(key)))
        known && (!asked.requireAllClusterKeys || keys.length == asked.clustering.length)
      case _ => false
    })

  override def createShuffleSpec(distribution: ClusteredDistribution): ShuffleSpec =
    RangeGroups.Spec(numPartitions)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): RangeGroups =
    copy(keys = newChildren)
}

object RangeGroups {

  /** Compatible with no other partitioning, except one partition with one partition. */
  private case class Spec(numPartitions: Int) extends ShuffleSpec {
    override def isCompatibleWith(other: ShuffleSpec): Boolean = numPartitions == 1 &&
      other.numPartitions == 1
    override def canCreatePartitioning: Boolean = false
  }
}
