package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.rule.ColocateConf

/**
 * The settings and machine figures that the decision on a join depends on.
 *
 * @param forced      true if cost does not matter
 * @param groupBytes  most bytes of one table that a task holds
 * @param hashable    most bytes that it can hash, even if a filter keeps more rows than estimated
 * @param shuffleCost how many times as much a shuffled byte costs as one that is only read
 * @param slots       tasks that run at the same time
 */
final private[hyperjoin] case class CostParameters(
    forced: Boolean,
    groupBytes: Long,
    hashable: Long,
    shuffleCost: Double,
    slots: Int) {

  /** Bytes of a group, chosen so that each slot gets a few groups. */
  def budget(bytes: Array[Long]): Long =
    groupBytes.min(bytes.sum / (CostParameters.GroupsPerSlot * slots)).max(1)

  /** Bytes up to which blocks that share probed blocks stay together: one slot's share of all bytes. */
  def whole(bytes: Array[Long]): Long = groupBytes.min(bytes.sum / slots).max(1)

  /**
   * The side with the fewest bytes to hash, among those whose part fits into the memory of each task.
   *
   * @param sortable true if both sides can be sorted instead
   */
  def hashed(joinType: JoinType, sortable: Boolean, sides: Seq[Held]): Option[Side] =
    sides.filter(held => HyperJoinChoice.mayHash(joinType, held.side)).filterNot { held =>
      // If a side must keep its unmatched rows, Spark's hash table for it costs more than sorting.
      sortable && JoinSemantics.keepsUnmatched(joinType, held.side)
    }.flatMap { held =>
      def fits(bytes: Double) = bytes * held.filtered <= groupBytes && bytes <= hashable
      held.tasks.filter(_.forall(fits)).map(held.side -> _.sum * held.filtered)
    }.minByOption(_._2).map(_._1)

  /** The cost of reading; the task that reads most ends last. */
  def reading(tasks: Seq[Long]): Double = tasks.sum * uneven(tasks)

  /** How many times as long the tasks take as if all slots had equal work. */
  def uneven(tasks: Seq[Long]): Double = (tasks.max * slots.toDouble / tasks.sum.max(1L)).max(1.0)

  /** The cost of shuffling bytes, on top of reading them. */
  def moving(bytes: Double): Double = (shuffleCost - 1) * bytes
}

/**
 * What a hash table of one side would hold.
 *
 * @param tasks    bytes in each task, before filters; None if unknown
 * @param filtered the estimated share of rows that the filters keep
 */
final private[hyperjoin] case class Held(side: Side, tasks: Option[Seq[Double]], filtered: Double)

private[hyperjoin] object CostParameters {

  /** Fewer groups would leave cores without work while the last ones end. */
  private val GroupsPerSlot = 3

  /** @param hashable most bytes of rows that a task can hash */
  def apply(conf: SQLConf, slots: Int, hashable: Long): CostParameters =
    CostParameters(ColocateConf.HyperJoinMode(conf) == "force",
      ColocateConf.HyperJoinGroupBytes(conf).min(hashable), hashable,
      ColocateConf.HyperJoinShuffleCost(conf), slots)
}
