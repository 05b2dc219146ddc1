package io.colocate.tables.pruning

import io.colocate.tables.tree.Cut

/** The bounds of a cut's column left and right of the cut, given the bounds above it. */
private[colocate] object CutBounds {

  def left(above: Bounds, cut: Cut, ordering: Ordering[Any]): Bounds = {
    val bounds = above.copy(mayBeNull = above.mayBeNull && cut.nullsLeft)
    if (!Bounds.isNaN(cut.value))
      upTo(bounds.copy(mayBeNaN = false), cut.value, cut.inclusive, ordering)
    else if (cut.inclusive) bounds
    else bounds.copy(mayBeNaN = false)
  }

  def right(above: Bounds, cut: Cut, ordering: Ordering[Any]): Bounds = {
    val bounds = above.copy(mayBeNull = above.mayBeNull && !cut.nullsLeft)
    if (!Bounds.isNaN(cut.value)) from(bounds, cut.value, !cut.inclusive, ordering)
    // Nothing is above NaN, and only NaN equals it.
    else if (cut.inclusive) bounds.copy(mayBeValue = false, mayBeNaN = false)
    else bounds.copy(mayBeValue = false)
  }

  private def upTo(
      bounds: Bounds,
      value: Any,
      included: Boolean,
      ordering: Ordering[Any]): Bounds = {
    val order = if (bounds.max == null) -1 else ordering.compare(value, bounds.max)
    if (order < 0 || order == 0 && !included)
      checked(bounds.copy(max = value, maxIncluded = included), ordering)
    else bounds
  }

  private def from(
      bounds: Bounds,
      value: Any,
      included: Boolean,
      ordering: Ordering[Any]): Bounds = {
    val order = if (bounds.min == null) 1 else ordering.compare(value, bounds.min)
    if (order > 0 || order == 0 && !included)
      checked(bounds.copy(min = value, minIncluded = included), ordering)
    else bounds
  }

  /** Cuts may contradict each other; then no value is possible below them. */
  private def checked(bounds: Bounds, ordering: Ordering[Any]): Bounds =
    if (bounds.min == null || bounds.max == null) bounds
    else {
      val order = ordering.compare(bounds.min, bounds.max)
      val some = order < 0 || order == 0 && bounds.minIncluded && bounds.maxIncluded
      bounds.copy(mayBeValue = bounds.mayBeValue && some)
    }
}
