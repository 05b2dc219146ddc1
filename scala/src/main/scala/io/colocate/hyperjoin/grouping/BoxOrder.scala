package io.colocate.hyperjoin.grouping

import io.colocate.hyperjoin.grouping.KeyRange.{Known, Unknown}

/**
 * Compares boxes that hold keys.
 *
 * The order is by the start of the first column, then by its end, then by the next column. An unknown
 * range starts before and ends after all others.
 *
 * @param orderings of the columns' values
 */
final private[grouping] class BoxOrder(orderings: IndexedSeq[Ordering[Any]])
    extends Ordering[KeyBox] {

  private val columns = orderings.indices

  override def compare(a: KeyBox, b: KeyBox): Int = columns.iterator
    .map(column => compare(column, a.columns(column), b.columns(column)))
    .find(_ != 0)
    .getOrElse(0)

  private def compare(column: Int, a: KeyRange, b: KeyRange): Int = (a, b) match {
    case (Known(min, max), Known(otherMin, otherMax)) =>
      val starts = orderings(column).compare(min, otherMin)
      if (starts != 0) starts else orderings(column).compare(max, otherMax)
    case _ =>
      (a == Unknown, b == Unknown) match {
        case (true, false) => -1
        case (false, true) => 1
        case _ => 0
      }
  }

  /** Whether `a` lies before `b` in a column, so that no value is in both. */
  def isBefore(column: Int, a: KeyBox, b: KeyBox): Boolean =
    (a.columns(column), b.columns(column)) match {
      case (Known(_, max), Known(min, _)) => orderings(column).compare(max, min) < 0
      case _ => false
    }

  /** Whether the boxes have values in common in every column after the first. */
  def meetAfterFirst(a: KeyBox, b: KeyBox): Boolean =
    columns.drop(1).forall(column => !isBefore(column, a, b) && !isBefore(column, b, a))
}
