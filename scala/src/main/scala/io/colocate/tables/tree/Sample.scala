package io.colocate.tables.tree

import org.apache.spark.sql.types.{BinaryType, DataType, StringType, StructField}

import io.colocate.facts.types.Orderable

/** A column that a tree may cut. */
final case class CutColumn(name: String, dataType: DataType) {
  require(Orderable(dataType), s"${dataType.sql} has no order to cut by")
  val ordering: Ordering[Any] = Orderable.ordering(dataType)

  /** True for texts and bytes, which take more memory than numbers. */
  def ofBytes: Boolean = dataType match {
    case _: StringType | BinaryType => true
    case _ => false
  }
}

object CutColumn {

  /** The columns that can be cut. */
  def among(fields: Iterable[StructField]): IndexedSeq[CutColumn] =
    fields.iterator.filter(f => Orderable(f.dataType)).map(f => CutColumn(f.name, f.dataType))
      .toIndexedSeq
}

/**
 * Sampled rows of a table, from which its tree is built.
 *
 * @param columns the columns that may be cut
 * @param rows    the values of these columns, null for NULL
 * @param longest the number of characters or bytes after which values were cut off
 */
final case class Sample(
    columns: IndexedSeq[CutColumn],
    rows: IndexedSeq[Array[Any]],
    longest: Int = Int.MaxValue) {

  private lazy val ordinals = columns.map(_.name).zipWithIndex.toMap

  def ordinal(column: String): Int = ordinals(column)

  /** Shared by all trees that are tried. */
  private[tree] lazy val narrowing: Narrowing = new Narrowing(this)

  /** Splits some of the rows by a cut. */
  def parted(of: IndexedSeq[Int], cut: Cut): Parted = {
    val at = ordinal(cut.column)
    val ordering = columns(at).ordering
    val (left, right) = of.partition(i => cut.goesLeft(rows(i)(at), ordering))
    Parted(cut, left, right)
  }

  /**
   * The cuts at the median of some of the rows: above the rows that have the median's value, then below
   * them. A cut that would leave one side empty is omitted, so there is none if all rows have the same
   * value; so is a cut at a value that the log cannot store (a text that is not valid UTF-8). NULL goes
   * to the side with fewer rows.
   *
   * @param of numbers of rows of the sample
   */
  def cuts(of: IndexedSeq[Int], column: String): Seq[Parted] = {
    val key = columns(ordinal(column))
    val present = sorted(of, key)
    if (present.isEmpty) Nil
    else {
      val median = present((present.length - 1) / 2)
      Seq(true, false).flatMap(cutAt(of, key, present, median, _))
    }
  }

  /**
   * The cut at the roundest value between the quartiles, for rows and types that have one. In a narrower
   * interval, another sample of the same values would more often give another cut.
   */
  def roundCut(of: IndexedSeq[Int], column: String): Option[Parted] = {
    val key = columns(ordinal(column))
    val present = sorted(of, key)
    def at(share: Double) = present(((present.length - 1) * share).round.toInt)
    if (present.isEmpty || key.ordering.equiv(at(0.25), at(0.75))) None
    else RoundValue(at(0.25), at(0.75)).flatMap(cutAt(of, key, present, _, inclusive = false))
  }

  private def sorted(of: IndexedSeq[Int], column: CutColumn): IndexedSeq[Any] = {
    val at = ordinal(column.name)
    of.map(rows(_)(at)).filter(_ != null).sorted(column.ordering)
  }

  /**
   * A cut for the real rows, whose values may be longer than those of the sample. Values that begin with
   * a shortened value must not be above its cut, so the cut is placed right after all of them.
   *
   * @param present the values of the rows, without NULL
   */
  private def cutAt(
      of: IndexedSeq[Int],
      column: CutColumn,
      present: IndexedSeq[Any],
      value: Any,
      inclusive: Boolean): Option[Parted] =
    if (inclusive && Prefix.mayBeCut(value, longest))
      Prefix.after(value).flatMap(cutAt(of, column, present, _, inclusive = false))
    else cutExactly(of, column, present, value, inclusive)

  private def cutExactly(
      of: IndexedSeq[Int],
      column: CutColumn,
      present: IndexedSeq[Any],
      value: Any,
      inclusive: Boolean): Option[Parted] =
    Option.when(Orderable.write(column.dataType, value).isDefined) {
      val cut = Cut(column.name, column.dataType, value, inclusive, nullsLeft = false)
      val left = present.count(cut.goesLeft(_, column.ordering))
      parted(of, cut.copy(nullsLeft = left < present.length - left))
    }.filter(found => found.left.nonEmpty && found.right.nonEmpty)
}

/** Rows of a sample on both sides of a cut. */
final case class Parted(cut: Cut, left: IndexedSeq[Int], right: IndexedSeq[Int]) {

  /** The share of the smaller side, at most one half. */
  def balance: Double = left.length.min(right.length).toDouble / (left.length + right.length)
}
