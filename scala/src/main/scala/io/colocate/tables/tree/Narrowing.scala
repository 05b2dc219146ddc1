package io.colocate.tables.tree

import scala.collection.mutable

/**
 * How much a cut of one column, at its median, narrows the range of each column.
 *
 * {{{
 *   cut at ship <= 5000:   ship     [0, 1] -> [0, 0.5],  [0.5, 1]    narrowed by 0.5
 *                          receipt  [0, 1] -> [0, 0.52], [0.49, 1]   narrowed by 0.48
 *                          price    [0, 1] -> [0, 1],    [0, 1]      narrowed by 0
 * }}}
 *
 * Files are skipped by the range of any column in them: a cut of one date helps filters on the other
 * dates too, a cut of a key helps only filters on the key. Measured once, on rows of a sample, and
 * assumed to be the same below other cuts. Each column is measured when it is first needed, as a table
 * with one leaf needs none.
 */
final private[tree] class Narrowing(sample: Sample) {

  import Narrowing._

  private val few = sample.copy(rows = sample.rows.take(Rows))
  private lazy val spans = few.columns.indices.map(at => few.columns(at).name -> new Span(few, at))
  private val known = mutable.HashMap.empty[String, Map[String, Double]]

  /** The columns that a cut of this column narrows, each with the share that it cuts off. */
  def of(cut: String): Map[String, Double] = known.getOrElseUpdate(cut, measured(cut))

  /** The share of its whole range that a column still has below these cuts. */
  def span(column: String, path: Seq[String]): Double =
    path.map(cut => 1 - of(cut).getOrElse(column, 0.0)).product

  private def measured(cut: String): Map[String, Double] =
    few.cuts(few.rows.indices, cut).maxByOption(_.balance)
      .fold(Map.empty[String, Double]) { parted =>
        val (left, right) = (parted.left.toArray, parted.right.toArray)
        spans.map { case (name, span) => name -> (1 - span.of(left, right)) }
          .filter(_._2 >= Least).toMap
      }
}

private[tree] object Narrowing {

  /** The number of rows to measure; they are a sample of a sample. */
  private val Rows = 2000

  /** A smaller effect is chance: any half of a sample has other ends than the whole. */
  private val Least = 0.05

  /**
   * The share of all rows within the range that a column has in some rows. Each column is compared with
   * each, so rows have numbers in place of values: the positions where the rows with their value begin
   * and end.
   */
  final private class Span(sample: Sample, at: Int) {

    private val rows = sample.rows.length
    private val (first, end) = (new Array[Int](rows), new Array[Int](rows))
    number()

    /** The mean of both sides of a cut, weighted by their rows. */
    def of(left: Array[Int], right: Array[Int]): Double =
      (width(left).toDouble * left.length + width(right).toDouble * right.length) / rows / rows

    private def width(side: Array[Int]): Int = {
      var (least, most) = (Int.MaxValue, 0)
      var i = 0
      while (i < side.length) {
        val row = side(i)
        if (first(row) < least) least = first(row)
        if (end(row) > most) most = end(row)
        i += 1
      }
      most - least
    }

    private def number(): Unit = {
      val ordering = Ordering.Option(sample.columns(at).ordering)
      val values = sample.rows.map(row => Option(row(at)))
      val sorted = sample.rows.indices.sortBy(values)(ordering).toArray
      var from = 0
      while (from < rows) {
        var to = from
        while (to < rows && ordering.equiv(values(sorted(to)), values(sorted(from)))) to += 1
        for (place <- from until to) {
          first(sorted(place)) = from
          end(sorted(place)) = to
        }
        from = to
      }
    }
  }
}
