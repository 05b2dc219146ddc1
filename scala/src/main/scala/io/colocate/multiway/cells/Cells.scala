package io.colocate.multiway.cells

/**
 * The cells in which a join is done if the inputs besides one cannot be broadcast: a box with a side for
 * each variable, along which values are placed by their hash (the HyperCube of Beame, Koutris and Suciu,
 * PODS 2013).
 *
 * {{{
 *   e(v0, v1), e(v1, v2), e(v0, v2) in 2 x 2 x 2 cells:
 *   a row (a, b) of the first goes to the cells (h(a), h(b), 0) and (h(a), h(b), 1)
 * }}}
 *
 * Rows that join have the same value of each variable, so they meet in one cell, and only there.
 *
 * @param shares for each variable the length of its side
 */
final private[multiway] case class Box(shares: Seq[Int]) {

  val count: Int = shares.product

  /** For each variable the distance between the numbers of neighbouring cells along its side. */
  private val strides = shares.scanLeft(1)(_ * _).init

  /** The number of cells that get a row with these variables. */
  def copies(variables: Seq[Int]): Int = count / variables.map(shares).product

  /** For each variable the position of a cell along its side. */
  private[multiway] def rests(number: Int): Seq[Long] =
    shares.indices.map(v => (number / strides(v) % shares(v)).toLong)

  /** The numbers of a row's cells, counted from the one where all variables that it lacks are 0. */
  private[multiway] def offsets(variables: Seq[Int]): Array[Int] =
    shares.indices.diff(variables).foldLeft(Array(0)) { (found, v) =>
      found.flatMap(at => Array.tabulate(shares(v))(i => at + i * strides(v)))
    }

  private[multiway] def place(variable: Int, value: Long): Int =
    (value % shares(variable)).toInt * strides(variable)

  def text: String = shares.mkString(" x ")
}

/**
 * All cells of a join, one box after another. The first is for rows whose values are all rare. Each
 * other one is for heavy values of some variables, and rare values of all others.
 *
 * Every result is made in exactly one box, and in one cell of it.
 */
final private[multiway] case class Cells(boxes: Seq[Box], heavy: HeavyValues) {
  require(boxes.length == heavy.kinds, s"${boxes.length} boxes for ${heavy.kinds} kinds of rows")

  private[multiway] val firsts: Seq[Int] = boxes.scanLeft(0)(_ + _.count)

  val count: Int = firsts.last

  def cell(number: Int): Cell = {
    val kind = firsts.lastIndexWhere(_ <= number)
    Cell(kind, boxes(kind).shares.map(_.toLong), boxes(kind).rests(number - firsts(kind)))
  }
}

private[multiway] object Cells {
  def apply(box: Box): Cells = Cells(Seq(box), HeavyValues.none)
}

/**
 * A cell, or a part of one: the hash of each variable's value has this remainder modulo the divisor. A
 * cell is split into parts if it has too many rows to hold.
 *
 * @param kind which variables have heavy values there ([[HeavyValues]])
 */
final private[multiway] case class Cell(kind: Int, divisors: Seq[Long], rests: Seq[Long]) {

  def has(variable: Int, value: Long): Boolean = value % divisors(variable) == rests(variable)

  /** Splits it into two halves, by the next bit of a variable's hash. */
  def halves(variable: Int): Seq[Cell] = {
    val half = divisors(variable)
    Seq(0L, half).map { more =>
      copy(divisors = divisors.updated(variable, half * 2),
        rests = rests.updated(variable, rests(variable) + more))
    }
  }
}

/**
 * The role of an input in a join.
 *
 * @param columns   the numbers of the columns that are variables, each variable once
 * @param variables the numbers of these variables
 */
final private[multiway] case class Role(columns: Seq[Int], variables: Seq[Int])
