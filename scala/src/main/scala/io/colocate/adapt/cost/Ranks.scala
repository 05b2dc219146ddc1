package io.colocate.adapt.cost

import io.colocate.tables.pruning.Bounds
import io.colocate.tables.tree.Sample

/**
 * The order of a sample's rows by one column.
 *
 * @param values    the values that are neither NULL nor NaN, ascending
 * @param places    for each row of the sample the place of its value among these; -1 without one
 * @param holdsNull whether any row has NULL
 * @param holdsNaN  whether any row has NaN
 */
final class Ranks private (
    val values: IndexedSeq[Any],
    places: Array[Int],
    val holdsNull: Boolean,
    val holdsNaN: Boolean) {

  /** The first and the last place of some rows; None if none of them has a value. */
  def range(rows: IndexedSeq[Int]): Option[(Int, Int)] = {
    var (first, last) = (Int.MaxValue, -1)
    rows.foreach { row =>
      val place = places(row)
      if (place >= 0) {
        if (place < first) first = place
        if (place > last) last = place
      }
    }
    Option.when(last >= 0)((first, last))
  }
}

object Ranks {

  def apply(sample: Sample, column: Int): Ranks = {
    val ordering = sample.columns(column).ordering
    val (none, some) = sample.rows.indices.partition { row =>
      val value = sample.rows(row)(column)
      value == null || Bounds.isNaN(value)
    }
    val sorted = some.sortBy(sample.rows(_)(column))(ordering)
    val places = Array.fill(sample.rows.length)(-1)
    sorted.zipWithIndex.foreach { case (row, place) => places(row) = place }
    val missing = none.map(sample.rows(_)(column))
    new Ranks(sorted.map(sample.rows(_)(column)), places, missing.contains(null),
      missing.exists(_ != null))
  }
}
