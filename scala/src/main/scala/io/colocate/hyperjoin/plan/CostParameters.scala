package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.rule.ColocateConf

/**
 * By what a join is decided, beside its tables.
 *
 * @param forced      true if cost does not matter
 * @param groupBytes  most that a task holds of one table
 * @param hashable    most that it can hash, if a filter keeps more than it seems to
 * @param shuffleCost how many times as much a shuffled byte costs as one that is only read
 * @param slots       tasks that run at the same time
 */
final private[hyperjoin] case class CostParameters(
    forced: Boolean,
    groupBytes: Long,
    hashable: Long,
    shuffleCost: Double,
    slots: Int) {

  /** Bytes of a group, so that each task has something to do a few times over. */
  def budget(bytes: Array[Long]): Long =
    groupBytes.min(bytes.sum / (CostParameters.GroupsPerSlot * slots)).max(1)

  /** Bytes up to which blocks that share what they read stay together: a core's part of all. */
  def whole(bytes: Array[Long]): Long = groupBytes.min(bytes.sum / slots).max(1)

  /**
   * The side that takes least to hash, as far as each task can hold its part of it.
   *
   * @param sortable true if both sides can be sorted instead
   */
  def hashed(joinType: JoinType, sortable: Boolean, sides: Seq[Held]): Option[Side] =
    sides.filter(held => HyperJoinChoice.mayHash(joinType, held.side)).filterNot { held =>
      // Where a row without a match is to come through, Spark's hash table costs more than to sort.
      sortable && JoinSemantics.keepsUnmatched(joinType, held.side)
    }.flatMap { held =>
      def fits(bytes: Double) = bytes * held.filtered <= groupBytes && bytes <= hashable
      held.tasks.filter(_.forall(fits)).map(held.side -> _.sum * held.filtered)
    }.minByOption(_._2).map(_._1)

  /** The cost of reading; the task with most to read ends last. */
  def reading(tasks: Seq[Long]): Double = tasks.sum * uneven(tasks)

  /** How many times as long tasks take as if all cores had as much to do. */
  def uneven(tasks: Seq[Long]): Double = (tasks.max * slots.toDouble / tasks.sum.max(1L)).max(1.0)

  /** What moving costs beside reading. */
  def moving(bytes: Double): Double = (shuffleCost - 1) * bytes
}

/**
 * What a hash table of one side would hold.
 *
 * @param tasks    bytes in each task, without filters; none where they are unknown
 * @param filtered the share that filters most likely let through
 */
final private[hyperjoin] case class Held(side: Side, tasks: Option[Seq[Double]], filtered: Double)

private[hyperjoin] object CostParameters {

  /** Fewer groups would leave cores without work while the last ones end. */
  private val GroupsPerSlot = 3

  /** @param hashable bytes of rows that a task can hash at most */
  def apply(conf: SQLConf, slots: Int, hashable: Long): CostParameters =
    CostParameters(ColocateConf.HyperJoinMode(conf) == "force",
      ColocateConf.HyperJoinGroupBytes(conf).min(hashable), hashable,
      ColocateConf.HyperJoinShuffleCost(conf), slots)
}
