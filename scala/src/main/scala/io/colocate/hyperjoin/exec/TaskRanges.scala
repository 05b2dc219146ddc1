package io.colocate.hyperjoin.exec

import org.apache.spark.sql.catalyst.expressions.{DirectShufflePartitionID, Expression}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, ShufflePartitionIdPassThrough}
import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Leaf, Node, Split}
import io.colocate.tables.write.LeafOf

/**
 * The key values that each task joins: those above the previous task's last value, up to its own. The
 * last task takes all greater values; the first one also takes NULL.
 *
 * @param lasts the last value of each task but the last one, ascending
 */
final private[hyperjoin] case class TaskRanges(dataType: DataType, lasts: IndexedSeq[Any]) {

  def tasks: Int = lasts.length + 1

  /** Partitions rows by the task that joins their key. */
  def partitioning(key: Expression): ShufflePartitionIdPassThrough =
    ShufflePartitionIdPassThrough(DirectShufflePartitionID(LeafOf(search(0, tasks),
      Seq(TaskRanges.Key), Seq(key))), tasks)

  /** True if rows already have this partitioning. */
  def describe(partitioning: Partitioning, key: Expression): Boolean = partitioning match {
    case ShufflePartitionIdPassThrough(DirectShufflePartitionID(LeafOf(tree, _, Seq(of))), n) =>
      n == tasks && of.semanticEquals(key) && same(tree.cuts, search(0, tasks).cuts)
    case _ => false
  }

  private def same(some: Seq[Cut], others: Seq[Cut]): Boolean = some.length == others.length &&
    some.zip(others).forall { case (a, b) => ordering.equiv(a.value, b.value) }

  private def ordering: Ordering[Any] = Orderable.ordering(dataType)

  /** A binary search among some of the tasks, as a tree. */
  private def search(from: Int, until: Int): Node =
    if (until - from == 1) Leaf(from)
    else {
      val middle = (from + until) / 2
      val cut = Cut(TaskRanges.Key, dataType, lasts(middle - 1), inclusive = true, nullsLeft = true)
      Split(cut, search(from, middle), search(middle, until))
    }
}

private[hyperjoin] object TaskRanges {

  /** Must not be the name of a column: the writer of a table cut by a column shuffles by [[LeafOf]] too. */
  private val Key = "range of the join key"

  /** True for rows that were shuffled into ranges of a key. */
  def isPartitioning(partitioning: Partitioning): Boolean = partitioning match {
    case ShufflePartitionIdPassThrough(DirectShufflePartitionID(LeafOf(_, Seq(Key), _)), _) => true
    case _ => false
  }
}
