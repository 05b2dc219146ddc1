package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.expressions.FunctionOfKeys

/**
 * Hash partitioning that serves more operators than Spark's own does.
 *
 *  - A join on more keys than are hashed. Spark accepts rows hashed on (a) for a join on (a, b) only if it
 *    can also create that partitioning for the other side, and its own [[HashShuffleSpec]] refuses to
 *    unless all keys are hashed.
 *  - An operator that requires rows together by keys of which all hashed expressions are functions
 *    ([[FunctionOfKeys]]).
 *
 * It places rows exactly as [[HashPartitioning]] does and is equal to it, so unions, exchange reuse,
 * coalescing and skew handling treat both alike. Only the planner's search creates it.
 */
final class CoHashPartitioning(expressions: Seq[Expression], numPartitions: Int)
    extends HashPartitioning(expressions, numPartitions) {

  override def createShuffleSpec(distribution: ClusteredDistribution): ShuffleSpec =
    new CoHashShuffleSpec(this, distribution)

  override def satisfies0(required: Distribution): Boolean =
    super.satisfies0(required) || (required match {
      case asked: ClusteredDistribution =>
        !asked.requireAllClusterKeys && expressions.forall { e =>
          asked.clustering.exists(_.semanticEquals(e)) || FunctionOfKeys(e, asked.clustering)
        }
      case _ => false
    })

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): HashPartitioning =
    new CoHashPartitioning(newChildren, numPartitions)

  override def prettyName: String = "cohashpartitioning"

  override def nodeName: String = "cohashpartitioning"
}

object CoHashPartitioning {

  /** The same partitioning, allowed to serve joins on more keys; other partitionings stay as they are. */
  def of(partitioning: Partitioning): Partitioning = partitioning match {
    case co: CoHashPartitioning => co
    case hash: HashPartitioning => new CoHashPartitioning(hash.expressions, hash.numPartitions)
    case coalesced: CoalescedHashPartitioning =>
      of(coalesced.from) match {
        case from: CoHashPartitioning =>
          new CoalescedCoHashPartitioning(from, coalesced.partitions)
        case _ => coalesced
      }
    case PartitioningCollection(members) => PartitioningCollection(members.map(of))
    case other => other
  }
}

/**
 * [[CoHashPartitioning]] after adaptive execution has coalesced its partitions. Spark's own class checks
 * only the keys themselves, and forgets that functions of keys serve too; a claim restores it.
 */
final class CoalescedCoHashPartitioning(
    override val from: CoHashPartitioning,
    partitions: Seq[CoalescedBoundary])
    extends CoalescedHashPartitioning(from, partitions) {

  override def satisfies0(required: Distribution): Boolean =
    super.satisfies0(required) || from.satisfies0(required)

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): CoalescedHashPartitioning =
    new CoalescedCoHashPartitioning(new CoHashPartitioning(newChildren, from.numPartitions),
      partitions)
}

/** [[HashShuffleSpec]] that can shuffle the other side on the hashed keys alone. */
final class CoHashShuffleSpec(partitioning: HashPartitioning, distribution: ClusteredDistribution)
    extends HashShuffleSpec(partitioning, distribution) {

  override def canCreatePartitioning: Boolean =
    if (AllKeys.setForJoins(SQLConf.get)) super.canCreatePartitioning
    else hashKeyPositions.nonEmpty && hashKeyPositions.forall(_.nonEmpty)
}
