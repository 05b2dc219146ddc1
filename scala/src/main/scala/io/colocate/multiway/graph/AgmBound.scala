package io.colocate.multiway.graph

/**
 * The most rows that a join can have, by the rows of its inputs (Atserias, Grohe and Marx, 2008): the
 * product of |R|^x over the inputs, where the weights x add up to 1 or more for each variable and are
 * chosen for the least product.
 *
 * By duality the logarithm is the largest sum of numbers y, one for each variable, that add up to no more
 * than log |R| for the variables of each input. The simplex method finds it; the origin is feasible.
 */
private[multiway] object AgmBound {

  /** The logarithm of the bound, from the logarithms of the inputs' rows. */
  def log(edges: Seq[Set[Int]], logs: Seq[Double]): Double = {
    val variables = edges.flatten.distinct.sorted
    val (m, n) = (edges.length, variables.length)
    // A row for each input: variables, slack, its limit. The last row is the objective, negated.
    val table = Array.tabulate(m + 1, n + m + 1) { (i, j) =>
      if (i == m) { if (j < n) -1.0 else 0.0 }
      else if (j < n) { if (edges(i)(variables(j))) 1.0 else 0.0 }
      else if (j < n + m) { if (j - n == i) 1.0 else 0.0 }
      else logs(i).max(0.0)
    }
    // The first column that helps, the first row that limits it: with this rule the method cannot cycle.
    var column = table(m).indexWhere(_ < -Tiny)
    while (column >= 0) {
      val limiting = (0 until m).filter(table(_)(column) > Tiny)
      pivot(table, limiting.minBy(i => table(i)(n + m) / table(i)(column)), column)
      column = table(m).indexWhere(_ < -Tiny)
    }
    table(m)(n + m)
  }

  /** The exponent of the bound for inputs of one size: 1.5 for a triangle. */
  def exponent(edges: Seq[Set[Int]]): Double = log(edges, edges.map(_ => 1.0))

  private val Tiny = 1e-9

  private def pivot(table: Array[Array[Double]], row: Int, column: Int): Unit = {
    val by = table(row)(column)
    table(row) = table(row).map(_ / by)
    for (i <- table.indices if i != row && table(i)(column) != 0) {
      val times = table(i)(column)
      for (j <- table(i).indices) table(i)(j) -= times * table(row)(j)
    }
  }
}
