package io.colocate.adapt.cost

import scala.collection.mutable

import org.apache.spark.sql.types.{BinaryType, StringType, StructType}

import io.colocate.facts.types.Orderable
import io.colocate.tables.pruning.{Bounds, CutBounds, KnownRows}
import io.colocate.tables.tree.Cut

/**
 * What the cuts on the way to a node tell of its rows, by the number of the column. Rows that cuts cannot
 * tell of may hold anything.
 */
final class CutPath private (anything: CutPath.Columns, known: Map[Int, Bounds]) extends KnownRows {

  override def bounds(column: Int): Bounds = known.getOrElse(column, anything.bounds(column))

  def left(cut: Cut): CutPath = narrowed(cut, CutBounds.left)

  def right(cut: Cut): CutPath = narrowed(cut, CutBounds.right)

  private def narrowed(cut: Cut, side: (Bounds, Cut, Ordering[Any]) => Bounds): CutPath = {
    val column = anything.schema.fieldIndex(cut.column)
    val bounds = side(this.bounds(column), cut, Orderable.ordering(cut.dataType))
    new CutPath(anything, known.updated(column, bounds))
  }
}

object CutPath {

  def root(schema: StructType): CutPath = new CutPath(new Columns(schema), Map.empty)

  /** What is known of columns that are not cut: nothing. It is made once, as it is asked for very often. */
  final private class Columns(val schema: StructType) {
    val bounds: Array[Bounds] =
      schema.fields.map(field => Bounds.unknown(Bounds.floating(field.dataType)))
  }
}

/**
 * What is expected of the rows of a leaf that is not written yet, by those of the sample that belong to it.
 *
 * The real rows reach farther than a few of them. So the range of each column is extended at both ends by
 * so many places of the sample as are between two rows of the leaf, twice, and cut off where the cuts on
 * the way to the leaf end. Without the first, a rare value looks as if it could be skipped; without the
 * second, every cut looks useless.
 *
 * @param rows numbers of the sample's rows
 * @param path the cuts on the way to the leaf
 */
final class ExpectedRows(ranks: SampleRanks, rows: IndexedSeq[Int], path: CutPath)
    extends KnownRows {

  private val known = mutable.HashMap.empty[Int, Bounds]
  private val numbers = SampleRanks.numbers(rows)
  private val wider = math.ceil(2.0 * ranks.sample.rows.length / rows.length.max(1)).toInt

  override def bounds(column: Int): Bounds = known.getOrElseUpdate(column,
    ranks.of(column).fold(path.bounds(column))(expected(_, column, path.bounds(column))))

  private def expected(order: Ranks, column: Int, cut: Bounds): Bounds = {
    val dataType = ranks.schema(column).dataType
    val (low, high) = order.spread(numbers).range.fold((null: Any, null: Any)) {
      case (first, last) =>
        (at(order, first - wider), if (isCutOff(column)) null else at(order, last + wider))
    }
    val ordering = Orderable.ordering(dataType)
    val tighterLow = low != null && (cut.min == null || ordering.lt(cut.min, low))
    val tighterHigh = high != null && (cut.max == null || ordering.gt(cut.max, high))
    Bounds(mayBeNull = order.holdsNull && cut.mayBeNull, mayBeNaN = order.holdsNaN && cut.mayBeNaN,
      mayBeValue = cut.mayBeValue, min = if (tighterLow) low else cut.min,
      minIncluded = tighterLow || cut.minIncluded, max = if (tighterHigh) high else cut.max,
      maxIncluded = tighterHigh || cut.maxIncluded)
  }

  /** Long texts of a sample are cut off, so that they are no upper bounds. */
  private def isCutOff(column: Int): Boolean = ranks.schema(column).dataType match {
    case _: StringType | BinaryType => ranks.sample.longest < Int.MaxValue
    case _ => false
  }

  private def at(order: Ranks, place: Int): Any =
    if (place >= 0 && place < order.values.length) order.values(place) else null
}
