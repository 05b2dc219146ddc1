package io.colocate.multiway.cells

/**
 * The lengths of a cube's sides: whole numbers, found by enumeration (Chu, Balazinska and Suciu, From
 * theory to practice, SIGMOD 2015). Of all cubes with at most so many cells, it takes the one in which a
 * cell gets the fewest bytes; of equal ones, the one for which the fewest bytes are sent.
 *
 * @param inputs  the variables and bytes of each input
 * @param longest the greatest side length of some variables
 */
final private[multiway] class HyperCubeShares(
    inputs: Seq[(Set[Int], Double)],
    variables: Int,
    longest: Map[Int, Int] = Map.empty) {

  private val edges = inputs.map(_._1.toArray).toArray
  private val bytes = inputs.map(_._2.max(1.0)).toArray
  private val total = bytes.sum

  def of(most: Int): Box = {
    val shares = doubled(most)
    var (best, load, sent) = (shares.toSeq, loadOf(shares), sentOf(shares))
    var steps = 0
    java.util.Arrays.fill(shares, 1)

    def search(v: Int, cells: Int): Unit = {
      steps += 1
      if (v == variables) {
        val (l, s) = (loadOf(shares), sentOf(shares))
        if (l < load || l == load && s < sent) {
          best = shares.toSeq
          load = l
          sent = s
        }
      } else {
        var share = (most / cells).min(longest.getOrElse(v, most))
        while (share >= 1 && steps < HyperCubeShares.Steps) {
          shares(v) = share
          if (sentOf(shares) <= limit && least(shares, v, most / (cells * share)) <= load)
            search(v + 1, cells * share)
          share -= 1
        }
        shares(v) = 1
      }
    }
    search(0, 1)
    Box(best)
  }

  /** A start: each step doubles the side that leaves the fewest bytes in a cell. */
  private def doubled(most: Int): Array[Int] = {
    def next(shares: Array[Int]) = shares.indices
      .filter(v => shares(v) * 2 <= longest.getOrElse(v, most))
      .map(v => shares.updated(v, shares(v) * 2))
      .filter(s => s.product <= most && sentOf(s) <= limit).minByOption(loadOf)
    Iterator.iterate(Option(Array.fill(variables)(1)))(_.flatMap(next)).takeWhile(_.nonEmpty)
      .flatten.foldLeft(Array.empty[Int])((_, s) => s)
  }

  private def limit: Double = HyperCubeShares.Copies * total

  /** Bytes that a cell gets. */
  def load(cells: Box): Double = loadOf(cells.shares.toArray)

  private def loadOf(shares: Array[Int]): Double = {
    var sum = 0.0
    var i = 0
    while (i < edges.length) {
      sum += bytes(i) / cellsAcross(shares, i)
      i += 1
    }
    sum
  }

  /** A lower bound of a cell's bytes: each input may use all cells that are left after a variable. */
  private def least(shares: Array[Int], variable: Int, left: Int): Double = {
    var sum = 0.0
    var i = 0
    while (i < edges.length) {
      val more = if (edges(i).exists(_ > variable)) left else 1
      sum += bytes(i) / (cellsAcross(shares, i) * more)
      i += 1
    }
    sum
  }

  private def sentOf(shares: Array[Int]): Double =
    loadOf(shares) * shares.foldLeft(1.0)(_ * _)

  private def cellsAcross(shares: Array[Int], input: Int): Double = {
    var product = 1.0
    edges(input).foreach(v => product *= shares(v))
    product
  }
}

private[multiway] object HyperCubeShares {

  /** The most cells that a row may be sent to, in the mean. */
  val Copies: Double = 8.0

  /** After so many steps the best cube so far is taken. */
  private val Steps = 20000
}
