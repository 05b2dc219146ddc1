package io.colocate.adapt.change

import io.colocate.adapt.cost.CutPath
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.{Leaf, Node, Parted, Split}

/**
 * A leaf of a subtree that is being built, or what it has become.
 *
 * @param rows    the sample's rows in it, by their numbers
 * @param queries those that read it
 * @param alike   those that may come to read it
 * @param cutBy   the columns of the subtree's cuts above it
 */
final private class Growing private (
    val rows: IndexedSeq[Int],
    val path: CutPath,
    val queries: IndexedSeq[Asked],
    val alike: Alike,
    val cutBy: List[String]) {

  private var sides: Option[(Parted, Growing, Growing)] = None
  private var tried_ : Option[(Long, Option[Parted])] = None

  /** The best cut for the queries, and how many rows they skip by it. */
  def gain: Option[Parted] = tried_.flatMap(_._2)
  def skipped: Long = tried_.fold(0L)(_._1)

  def isTried: Boolean = tried_.nonEmpty
  def tried(best: (Long, Option[Parted])): Unit = tried_ = Some(best)

  def split(parted: Parted): (Growing, Growing) = {
    val left = side(parted, parted.left)(_.left(parted.cut))
    val right = side(parted, parted.right)(_.right(parted.cut))
    sides = Some((parted, left, right))
    (left, right)
  }

  private def side(parted: Parted, some: IndexedSeq[Int])(to: CutPath => CutPath): Growing = {
    val column = parted.cut.column
    val below = to(path)
    new Growing(some, below, queries.filter(_.reads(below)), alike.on(column)(to), column :: cutBy)
  }

  /** Its leaves have no ids yet. */
  def node: Node = sides.fold[Node](Leaf(Leaf.NoId)) { case (parted, left, right) =>
    Split(parted.cut, left.node, right.node)
  }
}

private object Growing {

  /** The root of a subtree, below the cuts of a path. */
  def apply(rows: IndexedSeq[Int], path: CutPath, queries: IndexedSeq[Asked]): Growing =
    new Growing(rows, path, queries, Alike(queries, path), Nil)
}
