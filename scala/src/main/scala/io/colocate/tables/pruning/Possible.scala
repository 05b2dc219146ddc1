package io.colocate.tables.pruning

/**
 * The possible results of a predicate over some rows: TRUE, FALSE, NULL, or an error.
 *
 * Always includes every real result; a further one only costs reading. Errors are included so that rows
 * on which a query fails are not skipped: `1 / x > 0` must still fail on x = 0.
 */
final class Possible private[tables] (val bits: Int) extends AnyVal {
  import Possible._

  def mayBeTrue: Boolean = (bits & T) != 0
  def mayBeFalse: Boolean = (bits & F) != 0
  def mayBeNull: Boolean = (bits & N) != 0
  def mayFail: Boolean = (bits & E) != 0

  /** True if a filter on the predicate passes none of the rows, and fails on none. */
  def rulesOut: Boolean = (bits & (T | E)) == 0

  /** One or the other. */
  def |(other: Possible): Possible = new Possible(bits | other.bits)

  /**
   * `this AND right`, evaluated from the left as Spark does: FALSE decides, so an error on the right
   * cannot occur; NULL does not decide.
   */
  def and(right: Possible): Possible = {
    val afterTrue = if (mayBeTrue) right.bits else 0
    val afterNull = if (mayBeNull) nullInsteadOf(T, right.bits) else 0
    new Possible(bits & (F | E) | afterTrue | afterNull)
  }

  /** `this OR right`, where TRUE on the left decides. */
  def or(right: Possible): Possible = {
    val afterFalse = if (mayBeFalse) right.bits else 0
    val afterNull = if (mayBeNull) nullInsteadOf(F, right.bits) else 0
    new Possible(bits & (T | E) | afterFalse | afterNull)
  }

  def not: Possible = {
    val fromTrue = if (mayBeTrue) F else 0
    val fromFalse = if (mayBeFalse) T else 0
    new Possible(bits & (N | E) | fromTrue | fromFalse)
  }

  override def toString: String =
    Names.collect { case (bit, name) if (bits & bit) != 0 => name }.mkString("{", ", ", "}")
}

object Possible {
  final private val T = 1
  final private val F = 2
  final private val N = 4
  final private val E = 8
  private def Names = Seq(T -> "true", F -> "false", N -> "null", E -> "error")

  /** There are no rows. */
  def Nothing: Possible = new Possible(0)
  def True: Possible = new Possible(T)
  def False: Possible = new Possible(F)
  def Null: Possible = new Possible(N)
  def Error: Possible = new Possible(E)

  /** Nothing is known. */
  def Anything: Possible = new Possible(T | F | N | E)

  def apply(
      mayBeTrue: Boolean,
      mayBeFalse: Boolean,
      mayBeNull: Boolean,
      mayFail: Boolean): Possible =
    new Possible((if (mayBeTrue) T else 0) | (if (mayBeFalse) F else 0) |
      (if (mayBeNull) N else 0) | (if (mayFail) E else 0))

  private def nullInsteadOf(bit: Int, bits: Int): Int =
    if ((bits & bit) != 0) bits & ~bit | N else bits
}
