package io.colocate.layout.tree

/**
 * How much a cut of one column tells of all columns: by how far it narrows their ranges, summed up.
 *
 * Cutting a date narrows the other dates too, and cutting a key narrows nothing else. Files are left
 * out by the range of any column in them, so where two columns have the same claim to a cut, the one
 * that tells more comes first; what is cut near the root counts for most rows.
 *
 * {{{
 *   cut at ship <= 5000:   ship     [0, 1] -> [0, 0.5], [0.5, 1]     gain 0.5
 *                          receipt  [0, 1] -> [0, 0.52], [0.49, 1]   gain 0.48
 *                          price    [0, 1] -> [0, 1], [0, 1]         gain 0
 * }}}
 */
private[tree] object Informative {

  /** Rows that are looked at; they are a sample of a sample. */
  private val Rows = 2000

  /** The gain of each column, at its best median cut; 0 where it has none. */
  def gains(sample: Sample): Map[String, Double] = {
    val few = sample.copy(rows = sample.rows.take(Rows))
    val spans = few.columns.indices.map(new Span(few, _))
    few.columns.map { column =>
      val cut = few.cuts(few.rows.indices, column.name).maxByOption(_.balance)
      column.name -> cut.fold(0.0)(parted => spans.map(1 - _.of(parted)).sum)
    }.toMap
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
