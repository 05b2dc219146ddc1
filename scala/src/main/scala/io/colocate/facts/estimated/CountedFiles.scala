package io.colocate.facts.estimated

import org.apache.spark.sql.types._

/** Files with recorded statistics, so that no file must be read to know what it holds. */
trait CountedFiles {

  def rows: Long

  /** The values of a column of whole numbers or dates; None if one file has no statistics of it. */
  def numbers(column: String, dataType: DataType): Option[NumberRange]
}

/**
 * Values of a column of whole numbers, or of dates as days.
 *
 * @param ends no value is below the first or above the second; None if all are NULL
 */
final case class NumberRange(nulls: Long, ends: Option[(Long, Long)]) {

  def and(other: NumberRange): NumberRange = {
    val both = for ((a, b) <- ends; (c, d) <- other.ends) yield (a.min(c), b.max(d))
    NumberRange(nulls + other.nulls, both.orElse(ends).orElse(other.ends))
  }

  /** An upper bound on the number of distinct values, NULL excluded; there may be far fewer. */
  def mostValues: Double = ends.fold(0.0) { case (low, high) => high.toDouble - low.toDouble + 1 }
}

object NumberRange {

  val Nothing: NumberRange = NumberRange(0, None)

  def describes(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType | DateType => true
    case _ => false
  }
}
