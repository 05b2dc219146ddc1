package io.colocate.adapt.cost

import scala.collection.immutable.ArraySeq
import scala.collection.mutable

import org.apache.spark.sql.types.StructType

import io.colocate.adapt.window.Asked
import io.colocate.tables.pruning.{Bounds, KnownRows}
import io.colocate.tables.tree.{Cut, Parted, Sample}

/**
 * A sample, made ready for many questions: the places of its rows by each column, and which rows pass the
 * filters of a query. Both are found out when they are first needed.
 */
final class SampleRanks(val sample: Sample, val schema: StructType) {

  private val ordinals =
    sample.columns.indices.map(i => schema.fieldIndex(sample.columns(i).name) -> i)
      .toMap
  private val known = mutable.HashMap.empty[Int, Ranks]
  private val passed = mutable.HashMap.empty[Asked, Array[Boolean]]

  /** None for a column of the table that is not in the sample. */
  def of(column: Int): Option[Ranks] =
    ordinals.get(column).map(at => known.getOrElseUpdate(column, Ranks(sample, at)))

  /** The order of a column of the sample. */
  def of(cut: Cut): Ranks = of(schema.fieldIndex(cut.column)).get

  /** Splits some rows as the sample does, without comparing their values. */
  def parted(rows: IndexedSeq[Int], cut: Cut): Parted = {
    val (left, right) = of(cut).parted(SampleRanks.numbers(rows), cut)
    Parted(cut, ArraySeq.unsafeWrapArray(left), ArraySeq.unsafeWrapArray(right))
  }

  /** For each row whether it passes the filters of a query. */
  def passing(query: Asked): Array[Boolean] = passed.getOrElseUpdate(query, {
      val one = new OneRow
      sample.rows.indices.iterator.map { row =>
        one.row = row
        query.reads(one)
      }.toArray
    })

  /** One row at a time, chosen by `row`. */
  final private class OneRow extends KnownRows {
    var row: Int = 0

    override def bounds(column: Int): Bounds = ordinals.get(column) match {
      case Some(at) => Bounds.constant(sample.rows(row)(at))
      case None => Bounds.unknown(Bounds.floating(schema(column).dataType))
    }
  }
}

object SampleRanks {

  /** Numbers of rows as an array, without a copy where they are one. */
  def numbers(rows: IndexedSeq[Int]): Array[Int] = rows match {
    case wrapped: ArraySeq.ofInt => wrapped.unsafeArray
    case others => others.toArray
  }
}
