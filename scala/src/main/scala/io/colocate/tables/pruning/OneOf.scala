package io.colocate.tables.pruning

/**
 * `operand IN (values)`, decided by whether a listed value is within the operand's range.
 *
 * With NULL in the list the result is never FALSE: a value that is not found might equal the unknown
 * one, so `a NOT IN (1, NULL)` passes no row at all. Only NaN is an exception: Spark's InSet gives FALSE
 * for it, and In gives NULL.
 *
 * @param values null for NULL
 */
final private[tables] class OneOf(operand: Operand, values: Seq[Any], ordering: Ordering[Any])
    extends Check {

  private val hasNull = values.contains(null)
  private val hasNaN = values.exists(Bounds.isNaN)
  private val sorted =
    new SortedValues(values.filter(v => v != null && !Bounds.isNaN(v)).toArray, ordering)
  // Spark looks up floating values in a hash set; this does not rely on -0.0 and 0.0 being equal there.
  private val floating = Bounds.floating(operand.dataType)

  override def apply(rows: KnownRows): Possible = {
    val bounds = operand.bounds(rows)
    val hit = bounds.mayBeValue &&
      sorted.anyWithin(bounds.min, bounds.minIncluded, bounds.max, bounds.maxIncluded)
    val miss = bounds.mayBeValue && !(hit && single(bounds))
    val missingNaN = bounds.mayBeNaN && !hasNaN
    Possible(mayBeTrue = hit || bounds.mayBeNaN && hasNaN,
      // NULL IN () is FALSE or NULL, by spark.sql.legacy.nullInEmptyListBehavior.
      mayBeFalse = miss && !hasNull || missingNaN || values.isEmpty,
      mayBeNull = bounds.mayBeNull || (miss || missingNaN) && hasNull, mayFail = bounds.mayFail)
  }

  private def single(bounds: Bounds): Boolean = !floating && bounds.min != null &&
    bounds.max != null && ordering.compare(bounds.min, bounds.max) == 0
}
