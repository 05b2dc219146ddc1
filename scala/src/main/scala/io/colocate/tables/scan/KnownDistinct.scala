package io.colocate.tables.scan

import scala.collection.mutable

import org.apache.spark.sql.types._

import io.colocate.tables.snapshot.StatsColumn

/**
 * The exact number of distinct values of a column in the files of a scan, if their ranges show it.
 *
 * The ends of the ranges are values that occur, so there are at least as many values as different ends.
 * There are at most as many as the ranges have whole numbers, or as there are rows. If both limits are
 * equal, the number is exact:
 *
 * {{{
 *   file 1: 1 to 2      at least 1, 2, 3, 7; at most two of file 1, one of each other file     => 4
 *   file 2: 3 to 3
 *   file 3: 7 to 7
 *   file 4: 10 to 900   at least 10 and 900; at most 891                                       => unknown
 * }}}
 *
 * An estimate would not do: too low a number makes Spark underestimate a grouped result, too high a
 * number a filtered one, and it may then broadcast either.
 */
private[tables] object KnownDistinct {

  /** Beyond this number, ranges hardly ever show all values. */
  private val MostValues = 1024

  def apply(files: PinnedFileIndex, known: StatsColumn): Option[BigInt] =
    if (!whole(known.dataType)) None else exactly(files, known).map(BigInt(_))

  /** The bounds of texts are shortened, and a range has too many doubles. */
  private def whole(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType | DateType | BooleanType => true
    case _ => false
  }

  private def exactly(files: PinnedFileIndex, known: StatsColumn): Option[Long] = {
    val ends = mutable.HashSet.empty[Long]
    val alone = mutable.HashSet.empty[Long]
    var least = Long.MaxValue
    var most = Long.MinValue
    var (inRanges, rows) = (0L, 0L)
    val kept = files.kept.iterator
    while (kept.hasNext && ends.size <= MostValues) {
      val file = kept.next()
      if (known.min(file) != null) {
        val (low, high) = (number(known.min(file)), number(known.max(file)))
        val present = files.snapshot.files.rows(file) - known.nulls(file)
        ends += low
        ends += high
        if (low == high) alone += low else inRanges += present.min(numbers(low, high))
        rows += present
        least = least.min(low)
        most = most.max(high)
      }
    }
    val atMost = (alone.size + inRanges).min(numbers(least, most)).min(rows)
    Option.when(ends.size <= MostValues && ends.nonEmpty && ends.size == atMost)(atMost)
  }

  private def number(value: Any): Long = value match {
    case truth: Boolean => if (truth) 1L else 0L
    case other => other.asInstanceOf[Number].longValue
  }

  /** How many whole numbers there are from one to another; the greatest long if they are more. */
  private def numbers(low: Long, high: Long): Long = {
    val distance = high - low
    if (distance < 0 || distance == Long.MaxValue) Long.MaxValue else distance + 1
  }
}
