package io.colocate.multiway.cells

/**
 * Values of so many rows that hashing would put these rows into few cells. They get boxes of their own,
 * in which other variables have the longer sides (the residual joins of Afrati and Ullman, Optimizing
 * multiway joins in a map-reduce environment, TKDE 2011).
 *
 * {{{
 *   half of the rows of e(v0, v1) have 7 as v0, 64 cells:
 *     4 x 4 x 4 for all     a cell with h(7) has 1/8 of the rows of e, another one 1/32
 *     with a box 1 x 8 x 4  a cell of it has 1/16
 * }}}
 *
 * A row's kind has a bit for each variable that has heavy values, set if the row's value is heavy.
 *
 * @param of the variables with heavy values, and the hashes of these values; another value with such a
 *           hash counts as heavy too, which is also correct
 */
final private[multiway] case class HeavyValues(of: Seq[(Int, Seq[Long])]) {

  def isEmpty: Boolean = of.isEmpty

  def kinds: Int = 1 << of.length

  /** The number of heavy values of all variables. */
  def count: Int = of.map(_._2.length).sum

  private[multiway] def hashes(variable: Int): Array[Long] =
    of.collectFirst { case (`variable`, hashes) => hashes.toArray }.getOrElse(Array.empty)

  private[multiway] def bit(variable: Int): Int = of.indexWhere(_._1 == variable) match {
    case -1 => 0
    case i => 1 << i
  }

  private[multiway] def bits(variables: Seq[Int]): Int = variables.map(bit).sum
}

private[multiway] object HeavyValues {

  /** Limits the boxes to 8, so that a row that lacks variables is sent to few of them. */
  private val MostVariables = 3

  private val MostOfAVariable = 8

  val none: HeavyValues = HeavyValues(Nil)

  /**
   * A value is heavy if the cells at its place would have over twice as many rows of an input as others:
   * with a share f of the rows and s places, f + (1 - f) / s against (1 - f) / s.
   */
  def of(frequencies: Seq[Frequency], box: Box): HeavyValues = {
    val most = MostVariables.min(Integer.numberOfTrailingZeros(Integer.highestOneBit(box.count)))
    val heavy = frequencies.filter { f =>
      val places = box.shares(f.variable)
      places > 1 && f.share * places > 1 - f.share
    }
    val byVariable = heavy.groupMap(_.variable)(f => f.hash -> f.share).toSeq
    val largest = byVariable.map { case (variable, values) =>
      val shares = values.groupMapReduce(_._1)(_._2)(_ max _).toSeq.sortBy(v => (-v._2, v._1))
      (variable, shares.take(MostOfAVariable))
    }.sortBy { case (variable, values) => (-values.head._2, variable) }
    HeavyValues(largest.take(most).map { case (v, values) => v -> values.map(_._1) }.sortBy(_._1))
  }
}

/** The share of an input's rows that have a value of a variable. */
final private[multiway] case class Frequency(input: Int, variable: Int, hash: Long, share: Double)
