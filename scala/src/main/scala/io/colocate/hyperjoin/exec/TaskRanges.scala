package io.colocate.hyperjoin.exec

import org.apache.spark.sql.catalyst.expressions.{DirectShufflePartitionID, Expression}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, ShufflePartitionIdPassThrough}
import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Leaf, Node, Split}
import io.colocate.tables.write.LeafOf

/**
 * Which values of a key each task joins: those above the last of the task before, up to its own last
 * one. The last task takes all that are left, the first one takes NULL.
 *
 * @param lasts of all tasks but the last, ascending
 */
final private[hyperjoin] case class TaskRanges(dataType: DataType, lasts: IndexedSeq[Any]) {

  def tasks: Int = lasts.length + 1

  /** Rows by the task that joins their key. */
  def partitioning(key: Expression): ShufflePartitionIdPassThrough =
    ShufflePartitionIdPassThrough(DirectShufflePartitionID(LeafOf(search(0, tasks),
      Seq(TaskRanges.Key), Seq(key))), tasks)

  /** True where rows are laid out just like that already. */
  def describe(layout: Partitioning, key: Expression): Boolean = layout match {
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

  private val Key = "key"

  /** True for rows that were shuffled into ranges of a key. */
  def isLayout(layout: Partitioning): Boolean = layout match {
    case ShufflePartitionIdPassThrough(DirectShufflePartitionID(LeafOf(_, Seq(Key), _)), _) => true
    case _ => false
  }
}
