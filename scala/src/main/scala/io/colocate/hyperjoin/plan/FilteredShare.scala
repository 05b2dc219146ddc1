package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import io.colocate.tables.pruning.Bounds
import io.colocate.tables.scan.PinnedFileIndex

/**
 * Estimates the share of the rows of some files that a filter keeps, and so the share that a shuffle
 * would move.
 *
 * A comparison of a number or a date with a constant keeps the part of each file's range that satisfies
 * it. Other filters get the usual defaults (Selinger et al., SIGMOD 1979): a tenth for an equality, a
 * third for anything else. A wrong estimate costs time, never rows.
 */
final private[hyperjoin] class FilteredShare(files: PinnedFileIndex) {

  import FilteredShare._

  def apply(filters: Seq[Expression]): Double = {
    val (ranged, others) = filters.partitionMap(filter => Ranged.of(filter).toLeft(filter))
    val columns = ranged.groupMapReduce(_.column.name)(identity)(_.and(_)).values
    (columns.map(ofRange) ++ others.map(guess)).product
  }

  /** Assumes that each file's rows are spread evenly over its range. */
  private def ofRange(range: Ranged): Double =
    files.bounds(range.column.name, range.column.dataType).fold(Other) { bounds =>
      val all = files.kept.indices.map { i =>
        (files.snapshot.files.rows(files.kept(i)).toDouble, range.shareOf(bounds(i)))
      }
      all.map { case (rows, share) => rows * share }.sum / all.map(_._1).sum.max(1.0)
    }

  private def guess(filter: Expression): Double = filter match {
    case Equality(_, _) => Equal
    case In(_, values) => (Equal * values.length).min(Many)
    case InSet(_, values) => (Equal * values.size).min(Many)
    case IsNotNull(_) => 1.0
    case Literal.TrueLiteral => 1.0
    case _: DynamicPruning => 1.0
    case Or(left, right) => (guess(left) + guess(right)).min(1.0)
    case And(left, right) => guess(left) * guess(right)
    case _ => Other
  }
}

private[hyperjoin] object FilteredShare {

  private val Equal = 0.1
  private val Many = 0.5
  private val Other = 1.0 / 3

  /** A column between two numbers. */
  private case class Ranged(column: AttributeReference, low: Double, high: Double) {

    def and(other: Ranged): Ranged = copy(low = low.max(other.low), high = high.min(other.high))

    def shareOf(bounds: Bounds): Double =
      (number(column.dataType, bounds.min), number(column.dataType, bounds.max)) match {
        case _ if !bounds.mayBeValue => 0.0
        case (Some(min), Some(max)) if max > min =>
          ((high.min(max) - low.max(min)) / (max - min)).max(0.0)
        case (Some(min), Some(_)) => if (low <= min && min <= high) 1.0 else 0.0
        case _ => Other
      }
  }

  private object Ranged {
    private val (lowest, highest) = (Double.NegativeInfinity, Double.PositiveInfinity)

    def of(filter: Expression): Option[Ranged] = filter match {
      case GreaterThan(Column(a), Value(x)) => Some(Ranged(a, x, highest))
      case GreaterThanOrEqual(Column(a), Value(x)) => Some(Ranged(a, x, highest))
      case LessThan(Column(a), Value(x)) => Some(Ranged(a, lowest, x))
      case LessThanOrEqual(Column(a), Value(x)) => Some(Ranged(a, lowest, x))
      case _ => None
    }
  }

  private object Column {
    def unapply(e: Expression): Option[AttributeReference] = e match {
      case a: AttributeReference => Some(a)
      case _ => None
    }
  }

  private object Value {
    def unapply(e: Expression): Option[Double] = e match {
      case Literal(value, dataType) => number(dataType, value)
      case _ => None
    }
  }

  private def number(dataType: DataType, value: Any): Option[Double] = (dataType, value) match {
    case (_, null) => None
    case (_, decimal: Decimal) => Some(decimal.toDouble)
    case (_: NumericType | DateType | TimestampType | TimestampNTZType, n: Number) =>
      Some(n.doubleValue)
    case _ => None
  }
}
