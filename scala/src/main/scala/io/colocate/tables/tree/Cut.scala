package io.colocate.tables.tree

import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable

/**
 * How an inner node of a tree splits its rows.
 *
 * A row goes left if its value is below the cut value, or equal to it if the cut is inclusive; NULL goes
 * to the side that the cut names. `x < v` and `x <= v` are two cuts, as strings and doubles have no
 * "value just below".
 *
 * @param column    name of the column, as the table's schema spells it
 * @param value     as an InternalRow stores it, never NULL
 * @param inclusive true if rows with exactly this value go left
 * @param nullsLeft true if rows without a value go left
 */
final case class Cut(
    column: String,
    dataType: DataType,
    value: Any,
    inclusive: Boolean,
    nullsLeft: Boolean) {

  /** @param value null for NULL */
  def goesLeft(value: Any, ordering: Ordering[Any]): Boolean =
    if (value == null) nullsLeft
    else {
      val order = ordering.compare(value, this.value)
      order < 0 || order == 0 && inclusive
    }

  /** "l_shipdate <= 9000" */
  override def toString: String = {
    val shown = Orderable.write(dataType, value).getOrElse("(not shown)")
    s"$column ${if (inclusive) "<=" else "<"} $shown"
  }
}
