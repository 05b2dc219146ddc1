package io.colocate.adapt.simulate

import scala.collection.mutable

import io.colocate.adapt.cost.{Layout, Part, PresentReads, Ranks, SampleRanks}
import io.colocate.adapt.window.Asked
import io.colocate.tables.pruning.{Bounds, KnownRows}
import io.colocate.tables.tree.{Leaf, Node, RobustTree, Split}

/**
 * Rows in memory that lie in the leaves of a tree like those of a table in its files: what a query reads
 * is decided by the least and the greatest values that the rows of a leaf have.
 *
 * @param ranks the rows
 */
final private[simulate] class MemoryTable(ranks: SampleRanks, start: RobustTree)
    extends PresentReads {

  private var current = start
  private val files = mutable.HashMap.empty[Int, Seq[MemoryFile]].withDefaultValue(Nil)

  put(start.root, ranks.sample.rows.indices.toArray, 0)

  def tree: RobustTree = current

  val length: Int = ranks.sample.rows.length

  override def rows(leaf: Int): Long = files(leaf).iterator.map(_.rows.length.toLong).sum

  override def written(leaf: Int): Long =
    files(leaf).iterator.map(_.written).maxOption.getOrElse(0L)

  override def read(query: Asked, leaf: Int): Long =
    files(leaf).iterator.filter(_.isReadBy(query)).map(_.rows.length.toLong).sum

  def read(query: Asked): Long = read(query, tree.root)

  /** The table as it lies now, for when it does not lie so any more. */
  def layout: Layout = layoutOf(tree.leafIds)

  private def layoutOf(leaves: Seq[Int]): Layout =
    Layout(leaves.flatMap(files).map(file => Part(file.rows.length.toLong, file)).toIndexedSeq)

  /** Writes the rows whose leaves another tree does not have by that tree. */
  def rewrite(after: RobustTree, time: Long): Rewritten = {
    val gone = current.leafIds.diff(after.leafIds)
    val replaced = layoutOf(gone)
    val moved = gone.flatMap(files(_)).flatMap(_.rows).toArray
    gone.foreach(files.remove)
    put(after.root, moved, time)
    val written = after.leafIds.diff(current.leafIds)
    current = after
    Rewritten(gone, replaced, written)
  }

  private def put(node: Node, some: Array[Int], time: Long): Unit = node match {
    case _ if some.isEmpty =>
    case Leaf(id) => files(id) = files(id) :+ new MemoryFile(ranks, some, time)
    case Split(cut, left, right) =>
      val (before, after) = ranks.of(cut).parted(some, cut)
      put(left, before, time)
      put(right, after, time)
  }
}

/**
 * Leaves in place of others.
 *
 * @param replaced the layout of those that are gone
 */
final private[simulate] case class Rewritten(gone: Seq[Int], replaced: Layout, written: Seq[Int])

/** Rows that were written together. */
final private class MemoryFile(ranks: SampleRanks, val rows: Array[Int], val written: Long)
    extends KnownRows {

  private val known = mutable.HashMap.empty[Int, Bounds]
  private val asked = mutable.HashMap.empty[Asked, Boolean]

  def isReadBy(query: Asked): Boolean = asked.getOrElseUpdate(query, query.reads(this))

  override def bounds(column: Int): Bounds = known.getOrElseUpdate(column, {
      val floating = Bounds.floating(ranks.schema(column).dataType)
      ranks.of(column).fold(Bounds.unknown(floating))(measured)
    })

  private def measured(ranks: Ranks): Bounds = {
    val spread = ranks.spread(rows)
    val ends = spread.range.map { case (first, last) => (ranks.values(first), ranks.values(last)) }
    Bounds(mayBeNull = spread.holdsNull, mayBeNaN = spread.holdsNaN, mayBeValue = ends.nonEmpty,
      min = ends.map(_._1).orNull, minIncluded = true, max = ends.map(_._2).orNull,
      maxIncluded = true)
  }
}
