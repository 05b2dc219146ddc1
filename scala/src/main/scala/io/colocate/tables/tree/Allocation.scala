package io.colocate.tables.tree

/**
 * The share of each column in the cuts of a tree.
 *
 * The allocation of a column is its mean fan-out: the sum, over the nodes that cut it, of the number of
 * parts into which a node splits its rows (two) times the share of the rows that reach the node
 * (Shanbhag et al., SoCC 2017, section 3).
 */
object Allocation {

  /** The number of parts into which an inner node splits its rows. */
  val Ways: Int = 2

  /** What one node adds to the allocation of the column that it cuts. */
  def debit(share: Double): Double = Ways * share

  /** The published allocation of each of so many columns with equal weights. */
  def equal(leaves: Long, columns: Int): Double = math.pow(leaves.toDouble, 1.0 / columns)

  /**
   * The allocation that each column should get, in proportion to its weight.
   *
   * The sum is the total that a tree of so many leaves allocates, 2 log2(leaves). The published
   * `leaves^(1/columns)` gives another sum. That does not matter with equal weights, as only the order
   * of the remaining allocations decides; with unequal weights, only the heaviest column would be cut.
   *
   * @param weights the weights of the columns, each above 0
   * @param leaves  number of leaves, at least 1
   */
  def budget(weights: Map[String, Double], leaves: Int): Map[String, Double] = {
    val each = Ways * math.log(leaves.toDouble) / math.log(2) / weights.values.sum
    weights.map { case (column, weight) => column -> weight * each }
  }

  /** The allocation that each column has in a tree whose cuts halve their rows. */
  def of(tree: RobustTree): Map[String, Double] = {
    def visit(node: Node, share: Double): Seq[(String, Double)] = node match {
      case Leaf(_) => Nil
      case Split(cut, left, right) =>
        (cut.column -> debit(share)) +: (visit(left, share / 2) ++ visit(right, share / 2))
    }
    visit(tree.root, 1.0).groupMapReduce(_._1)(_._2)(_ + _)
  }

  /**
   * How many columns a tree can cut if each is cut for this share of the rows: 14 for the 16384 blocks
   * of 64 MB in 1 TB if every cut spans the table, as in a k-d tree, and 28 at one half.
   */
  def columns(leaves: Long, share: Double): Double = math.log(leaves.toDouble) / math.log(2) / share
}
