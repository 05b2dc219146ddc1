package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions.{Expression, RowOrdering}
import org.apache.spark.sql.catalyst.plans.JoinType

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.hyperjoin.exec.FileGroups
import io.colocate.report.{Bytes, HyperJoinReasons, Reason}

/**
 * Plans the join of a robust table with any other input, shuffling one side instead of two: each task
 * reads the files of one range of the join key, and the rows of the other side are shuffled into these
 * ranges.
 *
 * {{{
 *   SortMergeJoin (o_custkey = c_custkey)          ShuffledHashJoin (o_custkey = c_custkey)
 *   :- Exchange hash(o_custkey)                    :- Exchange range of o_custkey
 *   :  +- HashAggregate                     =>     :  +- HashAggregate
 *   +- Exchange hash(c_custkey)                    +- ColocateHyperScan
 *      +- FileScan customer                           +- FileScan customer
 * }}}
 *
 * Valid for every join type, as each row of either side goes to exactly one task. Counter-example: if
 * the files of two tasks had ranges that touch, a row of the other side would have to go to both tasks.
 *
 * If the shuffle has run and gave a task no row, the files of that task are not read, unless the join
 * keeps their rows.
 */
final private[hyperjoin] class OneStored(
    terms: CostParameters,
    joinType: JoinType,
    side: Side,
    table: TableSide,
    keys: Seq[Expression],
    other: OtherSide) {

  def apply(): Either[Reason, HyperJoinChoice] =
    ApartGroups.of(table, keys, terms.budget(table.heldBytes)).toRight(unranged).flatMap { groups =>
      val shuffle = SideInput.Shuffle(other.keys(groups.key), groups.ranges)
      val skew = other.skewed(shuffle).map { bytes =>
        Reason(HyperJoinReasons.SkewedRanges, "bytes" -> Bytes.text(bytes.toDouble))
      }
      skew.toLeft(()).flatMap(_ => completed(groups, shuffle))
    }

  private def unranged =
    Reason(HyperJoinReasons.UnrangedKey, "keys" -> keys.map(_.sql).mkString(", "))

  private def completed(
      groups: ApartGroups,
      shuffle: SideInput.Shuffle): Either[Reason, HyperJoinChoice] = {
    val own = sums(groups, table.heldBytes).map(_.toDouble)
    val sortable = RowOrdering.isOrderable(keys)
    val hashed = terms.hashed(joinType, sortable,
      Seq(Held(side, Some(own), table.filtered), Held(side.other, other.taskBytes(shuffle), 1.0)))
    // Spark alone would not shuffle the other side if it is already partitioned by the keys.
    val more = if (other.clustered) other.bytesBeside(table) else 0.0
    val reads = sums(groups, table.readBytes)
    // Assumes at most as many bytes of the other side, whose size may be unknown, spread as unevenly.
    val both = reads.sum + other.bytesBeside(table).min(reads.sum.toDouble)
    val cost = other.readBytes + both * terms.uneven(reads) + terms.moving(more)
    val stock = other.readBytes + both + terms.moving(table.shuffleBytes)
    val files = FileGroups(wanted(groups, shuffle).map(table.paths))
    val key = keys(groups.key)
    val together = table.column(key).filter { _ =>
      JoinSemantics.dropsNulls(joinType) || !table.mayBeNull(key, groups.blocks.flatten)
    }
    val figures = Seq("groups" -> files.length.toString, "files" -> files.files.toString,
      "key" -> key.sql, "bytes" -> Bytes.text(table.shuffleBytes), "cost" -> Bytes.text(cost),
      "stock" -> Bytes.text(stock))
    def supply(of: Side) = if (of == side) SideInput.Files(files, together) else shuffle
    Either.cond(hashed.nonEmpty || sortable,
      HyperJoinChoice(supply(Side.Left), supply(Side.Right), hashed.map(HyperJoinChoice.buildSide),
        Reason(HyperJoinReasons.OneSideShuffled, figures: _*), if (other.clustered) 0 else 1,
        table.shuffleBytes - more, cost, stock), unranged)
  }

  /** The blocks that each task reads: none if the shuffle has run and gave the task no row. */
  private def wanted(groups: ApartGroups, shuffle: SideInput.Shuffle): IndexedSeq[IndexedSeq[Int]] =
    if (JoinSemantics.keepsUnmatched(joinType, side)) groups.blocks
    else {
      val idle = other.taskBytes(shuffle).toSeq.flatten.zipWithIndex.collect { case (0.0, i) => i }
      idle.foldLeft(groups.blocks)((blocks, i) => blocks.updated(i, IndexedSeq.empty))
    }

  private def sums(groups: ApartGroups, bytes: Array[Long]): Seq[Long] =
    groups.blocks.map(_.iterator.map(bytes).sum)
}
