package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions.{Expression, Unevaluable}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.types.{DataType, IntegerType}

import io.colocate.facts.expressions.FunctionOfKeys

/**
 * Rows with equal keys are in one partition, and nothing is said of which one: because ranges of the keys do
 * not touch, or because the rows are hashed on columns that the keys determine. It satisfies an aggregate or
 * a window on these keys, or on some of which they are functions. It does not say how the rows of another plan
 * would have to be partitioned, so it satisfies no join.
 */
final case class Together(keys: Seq[Expression], numPartitions: Int)
    extends Expression
    with Partitioning
    with Unevaluable {

  override def children: Seq[Expression] = keys
  override def nullable: Boolean = false
  override def dataType: DataType = IntegerType

  override def satisfies0(required: Distribution): Boolean =
    super.satisfies0(required) || (required match {
      case asked: ClusteredDistribution =>
        keys.forall(serves(_, asked)) &&
        (!asked.requireAllClusterKeys || keys.length == asked.clustering.length)
      case _ => false
    })

  private def serves(key: Expression, asked: ClusteredDistribution): Boolean =
    asked.clustering.exists(_.semanticEquals(key)) ||
      !asked.requireAllClusterKeys && FunctionOfKeys(key, asked.clustering)

  override def createShuffleSpec(distribution: ClusteredDistribution): ShuffleSpec =
    Together.Spec(numPartitions)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Together =
    copy(keys = newChildren)
}

object Together {

  /** Compatible with no other partitioning, except one partition with one partition. */
  private case class Spec(numPartitions: Int) extends ShuffleSpec {
    override def isCompatibleWith(other: ShuffleSpec): Boolean = numPartitions == 1 &&
      other.numPartitions == 1
    override def canCreatePartitioning: Boolean = false
  }
}
