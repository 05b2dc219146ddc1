package io.colocate.tables.tree

/**
 * How much each column takes part in a tree.
 *
 * The allocation of a column is its mean fan-out: the sum, over the nodes that cut it, of the number
 * of ways a node parts its rows (two) times the share of the rows that reach the node (Shanbhag et
 * al., SoCC 2017, section 3).
 */
object Allocation {

  /** Ways in which an inner node parts its rows. */
  val Ways: Int = 2

  /** What one node adds to the allocation of the column that it cuts. */
  def debit(share: Double): Double = Ways * share

  /** The published allocation of each of so many columns that count alike. */
  def equal(leaves: Long, columns: Int): Double = math.pow(leaves.toDouble, 1.0 / columns)

  /**
   * The allocation that each column should get, in proportion to its weight.
   *
   * Together they get what a tree of so many leaves hands out, 2 log2(leaves). With the published
   * `leaves^(1/columns)` they would get another sum, which does not matter while columns count alike,
   * as only the order of what remains decides; with weights the heaviest column would be cut alone.
   *
   * @param weights of the columns, each above 0
   * @param leaves  number of leaves, at least 1
   */
  def budget(weights: Map[String, Double], leaves: Int): Map[String, Double] = {
    val each = Ways * math.log(leaves.toDouble) / math.log(2) / weights.values.sum
    weights.map { case (column, weight) => column -> weight * each }
  }

  /** The allocation that each column has in a tree whose cuts part rows in halves. */
  def of(tree: RobustTree): Map[String, Double] = {
    def visit(node: Node, share: Double): Seq[(String, Double)] = node match {
      case Leaf(_) => Nil
      case Split(cut, left, right) =>
        (cut.column -> debit(share)) +: (visit(left, share / 2) ++ visit(right, share / 2))
    }
    visit(tree.root, 1.0).groupMapReduce(_._1)(_._2)(_ + _)
  }

  /**
   * How many columns a tree can cut if each is cut for this share of the rows: 14 for the 16384
   * blocks of 64 MB in 1 TB where every cut spans the table, as in a k-d tree, and 28 at one half.
   */
  def columns(leaves: Long, share: Double): Double = math.log(leaves.toDouble) / math.log(2) / share
}
