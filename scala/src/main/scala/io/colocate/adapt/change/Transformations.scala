package io.colocate.adapt.change

import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Leaf, Node, Split}

/**
 * The three transformations of the published planner ("Robust Repartitioning", figures 6 to 8). Leaves
 * that keep their rows keep their ids; those that have to be written have none.
 */
object Transformations {

  /**
   * Cuts a node by another cut; the subtrees keep their cuts.
   *
   * {{{
   *       D                A                   A <= 10              A <= 5
   *      / \              / \                  /     \              /     \
   *     1   2     =>    new  new             1        2    =>    new       2
   * }}}
   *
   * Of another column, rows of both sides may be on either side, and all are written anew. Of the same
   * column, rows move from one side to the other: the side that loses some is written anew, and the
   * other one only gets more. NULL stays on its side, which may be the one that is not written.
   */
  def swap(node: Split, by: Cut): Split = {
    val (left, right) = (node.left, node.right)
    val cut = by.copy(nullsLeft = node.cut.nullsLeft)
    if (by.column != node.cut.column) Split(by, written(left), written(right))
    else if (isBefore(by, node.cut)) Split(cut, written(left), right)
    else Split(cut, left, written(right))
  }

  /**
   * Moves a cut up that both sides begin with. No row moves.
   *
   * {{{
   *         D                     A
   *       /   \                 /   \
   *      A     A       =>      D     D
   *     / \   / \             / \   / \
   *    1   2 3   4           1   3 2   4
   * }}}
   */
  def pushup(node: Split): Option[Split] = (node.left, node.right) match {
    case (Split(a, one, two), Split(b, three, four)) if sameCut(a, b) =>
      Some(Split(a, Split(node.cut, one, three), Split(node.cut, two, four)))
    case _ => None
  }

  /**
   * Moves a cut above another one of the same column. No row moves; the cut that gets to the top sends
   * NULL to the leaves where it is.
   *
   * {{{
   *        A <= 5                 A <= 2
   *        /    \                 /    \
   *     A <= 2   3      =>       1    A <= 5
   *     /    \                        /    \
   *    1      2                      2      3
   * }}}
   */
  def rotate(node: Split): Option[Split] = (node.left, node.right) match {
    case (Split(inner, one, two), three)
        if inner.column == node.cut.column &&
          isBefore(inner, node.cut) =>
      val top = inner.copy(nullsLeft = node.cut.nullsLeft && inner.nullsLeft)
      Some(Split(top, one, Split(node.cut, two, three)))
    case (one, Split(inner, two, three))
        if inner.column == node.cut.column &&
          isBefore(node.cut, inner) =>
      val top = inner.copy(nullsLeft = node.cut.nullsLeft || inner.nullsLeft)
      Some(Split(top, Split(node.cut, one, two), three))
    case _ => None
  }

  /** True if two cuts send the same rows to the same sides. */
  def sameCut(a: Cut, b: Cut): Boolean =
    a.column == b.column && a.inclusive == b.inclusive && a.nullsLeft == b.nullsLeft &&
      Orderable.ordering(a.dataType).equiv(a.value, b.value)

  /** True if fewer values go left by the first cut, which is of the same column. */
  def isBefore(a: Cut, b: Cut): Boolean = {
    val order = Orderable.ordering(a.dataType).compare(a.value, b.value)
    order < 0 || order == 0 && !a.inclusive && b.inclusive
  }

  private def written(node: Node): Node = node match {
    case Leaf(_) => Leaf(Leaf.NoId)
    case Split(cut, left, right) => Split(cut, written(left), written(right))
  }
}
