package io.colocate.adapt.change

import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.Asked
import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Parted}

/**
 * How many rows queries would skip by each of some cuts.
 *
 * Of the cuts of one column, each has the left sides of those before it within its own. So a query that
 * skips one left side skips those before it too, and it is asked about few of them.
 *
 * @param all the cuts that queries suggest
 */
final private class CutGains(ranks: SampleRanks, all: Seq[Cut]) {

  import CutGains._
  import ranks.schema

  /** By column, in the order of the schema, and in the order of their values. */
  private val cuts: Seq[(Int, IndexedSeq[Cut])] = all.groupBy(cut => schema.fieldIndex(cut.column))
    .toSeq.sortBy(_._1)
    .map { case (column, some) =>
      column -> some.distinct.sorted(ascending(some.head)).toIndexedSeq
    }

  /** The cut that lets queries skip most, the first of equal ones, with the rows that they skip. */
  def best(leaf: Growing, fewest: Double): (Long, Option[Parted]) = {
    val numbers = SampleRanks.numbers(leaf.rows)
    val none = (0L, Option.empty[Cut])
    val (most, found) = cuts.foldLeft(none) { case (best, (column, some)) =>
      // A query that does not filter by the column reads both sides.
      val asked = leaf.queries.filter(_.columns.contains(column))
      if (asked.length.toLong * numbers.length <= best._1) best
      else {
        val sides = some.map(sized(numbers, _)).filter(s => s.left.min(s.right) >= fewest)
        sides.zip(skipped(sides, leaf.path, asked)).foldLeft(best) { case (best, (side, rows)) =>
          if (rows > best._1) (rows, Some(side.cut)) else best
        }
      }
    }
    (most, found.map(ranks.parted(leaf.rows, _)))
  }

  /** The rows that queries skip by each of some cuts of a column. */
  private def skipped(
      sides: IndexedSeq[Sides],
      path: CutPath,
      asked: IndexedSeq[Asked]): IndexedSeq[Long] = {
    val column = sides.headOption.fold(0)(side => schema.fieldIndex(side.cut.column))
    val below = sides.map(side => path.left(side.cut))
    val above = sides.map(side => path.right(side.cut))
    // Up to this cut the left side is skipped, and from that one on the right side.
    val until =
      asked.map(query => first(sides.length)(at => query.readsBy(column, below(at)))).sorted
    val from =
      asked.map(query => first(sides.length)(at => !query.readsBy(column, above(at)))).sorted
    var (skipLeft, skipRight) = (0, 0)
    sides.indices.map { at =>
      while (skipLeft < until.length && until(skipLeft) <= at) skipLeft += 1
      while (skipRight < from.length && from(skipRight) <= at) skipRight += 1
      (until.length - skipLeft).toLong * sides(at).left + skipRight.toLong * sides(at).right
    }
  }

  /** NULL goes to the side with fewer rows. */
  private def sized(rows: Array[Int], cut: Cut): Sides = {
    val (left, nulls) = ranks.of(cut).counted(rows, cut)
    val right = rows.length - left
    if (left >= right) Sides(cut, left, right)
    else Sides(cut.copy(nullsLeft = true), left + nulls, right - nulls)
  }
}

private object CutGains {

  /** A cut, and how many rows are on its sides. */
  private case class Sides(cut: Cut, left: Int, right: Int)

  private def ascending(of: Cut): Ordering[Cut] =
    Ordering.by((cut: Cut) => cut.value)(Orderable.ordering(of.dataType)).orElseBy(_.inclusive)

  /** The first number from which on something holds; `length` if it holds nowhere. */
  private def first(length: Int)(holds: Int => Boolean): Int = {
    var (low, high) = (0, length)
    while (low < high) {
      val middle = (low + high) >>> 1
      if (holds(middle)) high = middle else low = middle + 1
    }
    low
  }
}
