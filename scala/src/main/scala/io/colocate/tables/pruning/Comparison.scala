package io.colocate.tables.pruning

/**
 * `left < right` and similar comparisons, decided from the ranges of both sides.
 *
 * {{{
 *   left   |-----|                     |-----|                 |-----|
 *   right           |----|                |----|           |---|
 *          less                  less, equal, greater       equal, greater
 * }}}
 *
 * Rows are not paired: for `a < b` over one file every value of a is compared with every value of b.
 *
 * @param accepts the relations, of [[Relation]], in which the comparison is TRUE
 */
final private[tables] class Comparison(
    left: Operand,
    right: Operand,
    ordering: Ordering[Any],
    accepts: Int)
    extends Check {

  override def apply(rows: KnownRows): Possible = {
    val a = left.bounds(rows)
    val b = right.bounds(rows)
    val found = Relation.of(a, b, ordering)
    Possible(mayBeTrue = (found & accepts) != 0, mayBeFalse = (found & ~accepts) != 0,
      mayBeNull = a.mayBeNull || b.mayBeNull, mayFail = a.mayFail || b.mayFail)
  }
}

/** `left <=> right`: as `=`, but NULL equals NULL and nothing else. */
final private[tables] class NullSafeEquality(left: Operand, right: Operand, ordering: Ordering[Any])
    extends Check {

  override def apply(rows: KnownRows): Possible = {
    val a = left.bounds(rows)
    val b = right.bounds(rows)
    val found = Relation.of(a, b, ordering)
    val oneNull = a.mayBeNull && (b.mayBeValue || b.mayBeNaN) ||
      b.mayBeNull && (a.mayBeValue || a.mayBeNaN)
    Possible(mayBeTrue = (found & Relation.Equal) != 0 || a.mayBeNull && b.mayBeNull,
      mayBeFalse = (found & ~Relation.Equal) != 0 || oneNull, mayBeNull = false,
      mayFail = a.mayFail || b.mayFail)
  }
}

/** How two values that are not NULL may be ordered, as a set of bits. */
private[tables] object Relation {
  final val Less = 1
  final val Equal = 2
  final val Greater = 4

  /** NaN is above all other values and equals itself. */
  def of(a: Bounds, b: Bounds, ordering: Ordering[Any]): Int = {
    val numbers = if (a.mayBeValue && b.mayBeValue) ofValues(a, b, ordering) else 0
    val less = if (a.mayBeValue && b.mayBeNaN) Less else 0
    val greater = if (a.mayBeNaN && b.mayBeValue) Greater else 0
    val equal = if (a.mayBeNaN && b.mayBeNaN) Equal else 0
    numbers | less | greater | equal
  }

  private def ofValues(a: Bounds, b: Bounds, ordering: Ordering[Any]): Int = {
    val lowest = if (a.min == null || b.max == null) -1 else ordering.compare(a.min, b.max)
    val highest = if (a.max == null || b.min == null) 1 else ordering.compare(a.max, b.min)
    val apart = lowest > 0 || lowest == 0 && !(a.minIncluded && b.maxIncluded) ||
      highest < 0 || highest == 0 && !(a.maxIncluded && b.minIncluded)
    val less = if (lowest < 0) Less else 0
    val greater = if (highest > 0) Greater else 0
    less | greater | (if (apart) 0 else Equal)
  }
}
