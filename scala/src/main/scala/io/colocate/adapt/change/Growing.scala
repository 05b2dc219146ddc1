package io.colocate.adapt.change

import io.colocate.adapt.cost.CutPath
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.{Leaf, Node, Parted, Split}

/**
 * A leaf of a subtree that is being built, or what it has become.
 *
 * @param rows    the sample's rows in it, by their numbers
 * @param path    the cuts above it; `steady` are those of them by columns that all queries ask the same of
 * @param queries those that read it
 * @param alike   those that may come to read it with other constants
 * @param cutBy   the columns of the subtree's cuts above it
 */
final private class Growing(
    val rows: IndexedSeq[Int],
    val path: CutPath,
    steady: CutPath,
    val queries: IndexedSeq[Asked],
    val alike: IndexedSeq[Asked],
    variety: Variety,
    val cutBy: List[String] = Nil) {

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
    val (known, still) =
      if (variety.isGreat(column)) (steady, alike)
      else {
        val known = to(steady)
        (known, alike.filter(_.reads(known)))
      }
    new Growing(some, below, known, queries.filter(_.reads(below)), still, variety, column :: cutBy)
  }

  /** Its leaves have no ids yet. */
  def node: Node = sides.fold[Node](Leaf(Leaf.NoId)) { case (parted, left, right) =>
    Split(parted.cut, left.node, right.node)
  }
}
