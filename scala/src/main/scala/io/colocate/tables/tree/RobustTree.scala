package io.colocate.tables.tree

/**
 * A partitioning tree: each row belongs to the one leaf that the cuts lead it to.
 *
 * "Robust" as in Amoeba (Shanbhag et al., SoCC 2017): no workload is known, so the cuts are spread over
 * as many columns as possible, different ones in different branches.
 *
 * {{{
 *              price <= 10
 *             /           \
 *     date < 9000       name <= 'm'
 *      /      \          /      \
 *   leaf 0  leaf 1    leaf 2  leaf 3
 * }}}
 *
 * @param id      identifies the tree among all trees that the table ever had
 * @param joinKey the columns that its upper levels cut, if the table has moved to them: not those that
 *                its options name
 */
final case class RobustTree(id: Int, root: Node, joinKey: Option[Seq[String]] = None) {

  /** Left to right. */
  def leaves: Seq[Leaf] = root.leaves

  def leafIds: Seq[Int] = leaves.map(_.id)

  def cuts: Seq[Cut] = root.cuts

  /** The longest path from the root to a leaf, in cuts. */
  def depth: Int = root.depth

  /** The columns that are cut somewhere. */
  def columns: Seq[String] = cuts.map(_.column).distinct

  /**
   * The tree with subtrees in place of some leaves. New leaves get ids above all others, so that the id
   * of a removed leaf is never reused.
   *
   * @param below the subtrees, by the id of the leaf
   */
  def grafted(below: Map[Int, Node]): RobustTree = {
    val free = Iterator.from(leafIds.max + 1)
    def renumbered(node: Node): Node = node match {
      case Leaf(_) => Leaf(free.next())
      case Split(cut, left, right) =>
        val first = renumbered(left)
        Split(cut, first, renumbered(right))
    }
    def visit(node: Node): Node = node match {
      case Leaf(id) => below.get(id).fold(node)(renumbered)
      case Split(cut, left, right) =>
        val first = visit(left)
        Split(cut, first, visit(right))
    }
    copy(root = visit(root))
  }

  /**
   * The tree with another root. Its leaves without an id get ids above all that this tree has, so that
   * the id of a leaf that is gone is never reused.
   */
  def withRoot(root: Node): RobustTree = {
    val free = Iterator.from(leafIds.max + 1)
    def visit(node: Node): Node = node match {
      case Leaf(Leaf.NoId) => Leaf(free.next())
      case leaf: Leaf => leaf
      case Split(cut, left, right) =>
        val first = visit(left)
        Split(cut, first, visit(right))
    }
    copy(root = visit(root))
  }
}

sealed trait Node {
  def leaves: Seq[Leaf]
  def cuts: Seq[Cut]
  def depth: Int
}

/** @param id keeps its meaning while the tree changes elsewhere */
final case class Leaf(id: Int) extends Node {
  override def leaves: Seq[Leaf] = Seq(this)
  override def cuts: Seq[Cut] = Nil
  override def depth: Int = 0
}

object Leaf {

  /** Of a leaf that no tree has yet. */
  val NoId: Int = -1
}

final case class Split(cut: Cut, left: Node, right: Node) extends Node {
  override def leaves: Seq[Leaf] = left.leaves ++ right.leaves
  override def cuts: Seq[Cut] = cut +: (left.cuts ++ right.cuts)
  override def depth: Int = 1 + left.depth.max(right.depth)
}
