package io.colocate.layout.tree

/**
 * By how far a cut of one column, at its median, narrows the range of each column.
 *
 * {{{
 *   cut at ship <= 5000:   ship     [0, 1] -> [0, 0.5],  [0.5, 1]    narrowed by 0.5
 *                          receipt  [0, 1] -> [0, 0.52], [0.49, 1]   narrowed by 0.48
 *                          price    [0, 1] -> [0, 1],    [0, 1]      narrowed by 0
 * }}}
 *
 * Files are left out by the range of any column in them: a cut of one date helps filters on the
 * other dates, a cut of a key helps those on the key alone. Measured once, on all rows of a sample;
 * below other cuts it is taken to be the same.
 */
final private[tree] class Narrowing(by: Map[String, Map[String, Double]]) {

  /** What a cut of this column narrows, with the share that it takes off. */
  def of(cut: String): Map[String, Double] = by.getOrElse(cut, Map.empty)

  /** The share of its whole range that a column still has below these cuts. */
  def span(column: String, path: Seq[String]): Double =
    path.map(cut => 1 - of(cut).getOrElse(column, 0.0)).product
}

private[tree] object Narrowing {

  /** Rows that are looked at; they are a sample of a sample. */
  private val Rows = 2000

  /** Less is chance: the ends of any half of a sample are not those of the whole. */
  private val Least = 0.05

  def apply(sample: Sample): Narrowing = {
    val few = sample.copy(rows = sample.rows.take(Rows))
    val spans = few.columns.indices.map(at => few.columns(at).name -> new Span(few, at))
    new Narrowing(few.columns.map { column =>
      val cut = few.cuts(few.rows.indices, column.name).maxByOption(_.balance)
      column.name -> cut.fold(Map.empty[String, Double]) { parted =>
        spans.map { case (name, span) => name -> (1 - span.of(parted)) }.filter(_._2 >= Least).toMap
      }
    }.toMap)
  }

  /** Which share of all rows lies within the range that a column has in some rows. */
  final private class Span(sample: Sample, at: Int) {

    private val ordering = Ordering.Option(sample.columns(at).ordering)
    private val values = sample.rows.map(row => Option(row(at)))
    private val sorted = values.sorted(ordering)
    private val count = sorted.length.toDouble
    private val below = ranks(sorted, (first, _) => first)
    private val upTo = ranks(sorted, (_, end) => end)

    /** Of both sides of a cut, by their rows. */
    def of(parted: Parted): Double =
      (of(parted.left) * parted.left.length + of(parted.right) * parted.right.length) / count

    private def of(rows: IndexedSeq[Int]): Double = {
      val present = rows.map(values)
      (upTo(present.max(ordering)) - below(present.min(ordering))) / count
    }

    /** For each value a number made of where its rows begin and end in the order. */
    private def ranks(
        sorted: IndexedSeq[Option[Any]],
        rank: (Int, Int) => Int): collection.Map[Option[Any], Int] = {
      val found = new java.util.TreeMap[Option[Any], Int](ordering)
      var first = 0
      while (first < sorted.length) {
        var end = first
        while (end < sorted.length && ordering.equiv(sorted(end), sorted(first))) end += 1
        found.put(sorted(first), rank(first, end))
        first = end
      }
      import scala.jdk.CollectionConverters._
      found.asScala
    }
  }
}
