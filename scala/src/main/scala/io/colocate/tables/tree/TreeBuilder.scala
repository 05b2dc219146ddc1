package io.colocate.tables.tree

/**
 * What a tree is built from.
 *
 * @param sample  sampled rows of the table
 * @param weights the weights of the columns that may be cut, each above 0; equal weights treat columns alike
 * @param leaves  how many leaves are wanted; there are fewer if the rows cannot be separated
 */
final case class TreeRequest(sample: Sample, weights: Map[String, Double], leaves: Int) {
  require(leaves >= 1, s"leaves is $leaves; accepted: 1 or more")
  require(weights.values.forall(_ > 0), s"weights are $weights; accepted: above 0")
}

/** An algorithm that builds a tree. */
trait TreeBuilder {
  def build(request: TreeRequest): Node
}

/**
 * Rows at an open leaf of a growing tree, and the path that leads to it.
 *
 * @param path  columns that are cut above it, the last one first
 * @param place turns of the path, l or r: in the order of texts, leaves are sorted from left to right
 */
final private[tree] class Growing(
    val rows: IndexedSeq[Int],
    val path: List[String] = Nil,
    val place: String = "") {

  /** None while it is a leaf. */
  var parted: Option[(Cut, Growing, Growing)] = None

  def split(by: Parted): (Growing, Growing) = {
    val below = by.cut.column :: path
    val left = new Growing(by.left, below, place + "l")
    val right = new Growing(by.right, below, place + "r")
    parted = Some((by.cut, left, right))
    (left, right)
  }

  /** The finished tree, its leaves numbered from the left. */
  def finish(): Node = {
    var next = -1
    def visit(growing: Growing): Node = growing.parted match {
      case None =>
        next += 1
        Leaf(next)
      case Some((cut, left, right)) =>
        val finished = visit(left)
        Split(cut, finished, visit(right))
    }
    visit(this)
  }
}

/** The remaining allocation of each column while a tree grows. */
final private[tree] class Remaining(sample: Sample, budget: Map[String, Double]) {

  private val left = scala.collection.mutable.Map.from(budget)

  /** The column with the most left comes first; of equal ones the one that the path has cut least. */
  def order(path: Seq[String]): Seq[String] = {
    val onPath = path.groupMapReduce(identity)(_ => 1)(_ + _)
    sample.columns.map(_.name).filter(left.contains)
      .sortBy(column => (-left(column), onPath.getOrElse(column, 0)))
  }

  def take(column: String, share: Double): Unit = left(column) -= Allocation.debit(share)
}
