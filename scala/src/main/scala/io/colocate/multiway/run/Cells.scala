package io.colocate.multiway.run

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.sql.types.DataType

/**
 * The cells in which a join is done where no input but one can be broadcast: a box with a side for each
 * variable, along which values lie by their hash (the HyperCube of Beame, Koutris and Suciu, PODS 2013).
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
final private[multiway] case class Cells(shares: Seq[Int]) {

  val count: Int = shares.product

  /** How far apart the numbers of two cells are that are neighbours along a variable. */
  private val strides = shares.scanLeft(1)(_ * _).init

  def cell(number: Int): Cell =
    Cell(shares.map(_.toLong), shares.indices.map(v => (number / strides(v) % shares(v)).toLong))

  /** To how many cells a row goes that has these variables. */
  def copies(variables: Seq[Int]): Int = count / variables.map(shares).product

  /** The numbers of the cells of a row, from the one where all variables that it lacks are 0. */
  private[run] def offsets(variables: Seq[Int]): Array[Int] =
    shares.indices.diff(variables).foldLeft(Array(0)) { (found, v) =>
      found.flatMap(at => Array.tabulate(shares(v))(i => at + i * strides(v)))
    }

  private[run] def place(variable: Int, hash: Long): Int =
    (hash % shares(variable)).toInt * strides(variable)

  def text: String = shares.mkString(" x ")
}

/**
 * A cell, or a part of one: the hash of each variable's value leaves this rest when it is divided.
 * Parts are there for cells whose rows are too many to hold.
 */
final private[multiway] case class Cell(divisors: Seq[Long], rests: Seq[Long]) {

  def has(variable: Int, hash: Long): Boolean = hash % divisors(variable) == rests(variable)

  /** Two halves, by the next bit of a variable's hash. */
  def halves(variable: Int): Seq[Cell] = {
    val half = divisors(variable)
    Seq(0L, half).map { more =>
      Cell(divisors.updated(variable, half * 2), rests.updated(variable, rests(variable) + more))
    }
  }
}

/** The hashes of a row's keys: alike where the keys are equal. Spark's own shuffles hash otherwise. */
final private[run] class KeyHashes(ordinals: Array[Int], types: Array[KeyType]) {

  val values = new Array[Long](ordinals.length)

  /** @return false for a row with a NULL key, which joins nothing */
  def read(row: InternalRow): Boolean = {
    var i = 0
    while (i < ordinals.length) {
      if (row.isNullAt(ordinals(i))) return false
      values(i) = (types(i) match {
        case number: NumberKey => XXH64.hashLong(number.get(row, ordinals(i)), KeyHashes.Seed)
        case text: TextKey =>
          val value = text.get(row, ordinals(i))
          XXH64.hashUnsafeBytes(value.getBaseObject, value.getBaseOffset, value.numBytes,
            KeyHashes.Seed)
      }) & Long.MaxValue
      i += 1
    }
    true
  }
}

private object KeyHashes {
  private val Seed = 1618L
}

/**
 * What an input is to a join.
 *
 * @param columns   the numbers of the columns that are variables, each variable once
 * @param variables their numbers
 */
final private[multiway] case class Role(columns: Seq[Int], variables: Seq[Int]) {

  /** @param types of all columns of the input */
  private[run] def hashes(types: Seq[DataType]): KeyHashes =
    new KeyHashes(columns.toArray, columns.map(c => KeyType.orThrow(types(c))).toArray)
}
