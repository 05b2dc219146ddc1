package io.colocate.tables.pruning

/**
 * `operand IN (values)`, by looking for a listed value between the ends of the operand's range.
 *
 * With NULL in the list the outcome is never FALSE: what is not found might be the unknown value, so
 * `a NOT IN (1, NULL)` passes no row at all. Only NaN is FALSE for InSet and NULL for In, in Spark.
 *
 * @param values null for NULL
 */
final private[tables] class OneOf(operand: Operand, values: Seq[Any], ordering: Ordering[Any])
    extends Check {

  private val hasNull = values.contains(null)
  private val hasNaN = values.exists(Bounds.isNaN)
  private val sorted =
    new SortedValues(values.filter(v => v != null && !Bounds.isNaN(v)).toArray, ordering)
  // Spark looks up floating values in a hash set; -0.0 and 0.0 are not relied upon to be one there.
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
