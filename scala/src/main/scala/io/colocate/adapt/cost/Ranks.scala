package io.colocate.adapt.cost

import scala.collection.mutable.{ArrayBuffer, ArrayBuilder}
import scala.jdk.CollectionConverters._

import io.colocate.tables.pruning.Bounds
import io.colocate.tables.tree.{Cut, Sample}

/**
 * The order of a sample's rows by one column.
 *
 * @param values the values that are neither NULL nor NaN, ascending
 * @param places for each row of the sample the place of its value among these, or what it has in place of
 *               one
 */
final class Ranks private (
    val values: collection.IndexedSeq[Any],
    places: Array[Int],
    ordering: Ordering[Any]) {

  import Ranks._

  /** Whether any row has NULL, or NaN. */
  val holdsNull: Boolean = places.contains(Null)
  val holdsNaN: Boolean = places.contains(NaN)

  /** What some rows hold. */
  def spread(rows: Array[Int]): Spread = {
    var (first, last) = (Int.MaxValue, -1)
    var (nulls, nans) = (false, false)
    var i = 0
    while (i < rows.length) {
      val place = places(rows(i))
      if (place == Null) nulls = true
      else if (place == NaN) nans = true
      else {
        if (place < first) first = place
        if (place > last) last = place
      }
      i += 1
    }
    Spread(Option.when(last >= 0)((first, last)), nulls, nans)
  }

  /** How many of some rows are left of a cut, and how many have NULL. */
  def counted(rows: Array[Int], cut: Cut): (Int, Int) = {
    val end = until(cut)
    var (left, nulls, i) = (0, 0, 0)
    while (i < rows.length) {
      val place = places(rows(i))
      if (place >= 0 && place < end) left += 1
      else if (place == Null) nulls += 1
      i += 1
    }
    (left, nulls)
  }

  /** The rows on both sides of a cut. */
  def parted(rows: Array[Int], cut: Cut): (Array[Int], Array[Int]) = {
    val end = until(cut)
    rows.partition { row =>
      val place = places(row)
      if (place == Null) cut.nullsLeft else place >= 0 && place < end
    }
  }

  /** How many values are left of a cut. */
  private def until(cut: Cut): Int = {
    var (low, high) = (0, values.length)
    while (low < high) {
      val middle = (low + high) >>> 1
      if (cut.goesLeft(values(middle), ordering)) low = middle + 1 else high = middle
    }
    low
  }
}

/**
 * What some rows of a sample hold in a column.
 *
 * @param range the places of their least and their greatest value; None if none has a value
 */
final case class Spread(range: Option[(Int, Int)], holdsNull: Boolean, holdsNaN: Boolean)

object Ranks {

  private val Null = -1
  private val NaN = -2

  /** Equal values are gathered first, as there are often few different ones. */
  def apply(sample: Sample, column: Int): Ranks = {
    val ordering = sample.columns(column).ordering
    val places = new Array[Int](sample.rows.length)
    val alike = new java.util.HashMap[Any, ArrayBuilder.ofInt]
    sample.rows.iterator.zipWithIndex.foreach { case (row, number) =>
      val value = row(column)
      if (value == null) places(number) = Null
      else if (Bounds.isNaN(value)) places(number) = NaN
      else alike.computeIfAbsent(value, _ => new ArrayBuilder.ofInt) += number
    }
    val values = new ArrayBuffer[Any](places.length)
    alike.entrySet.asScala.toArray.sortBy(_.getKey)(ordering).foreach { entry =>
      entry.getValue.result().foreach { number =>
        places(number) = values.length
        values += entry.getKey
      }
    }
    new Ranks(values, places, ordering)
  }
}
