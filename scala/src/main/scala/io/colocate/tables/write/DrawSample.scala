package io.colocate.tables.write

import scala.annotation.tailrec
import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils

import io.colocate.tables.tree.{CutColumn, Prefix, Sample}

/**
 * Rows that stand for a table, and how many and how large all its rows are.
 *
 * @param rows     exact if all of them were looked at, otherwise within a few hundredths
 * @param rowBytes the mean size of a row in Spark's memory
 */
final case class Drawn(sample: Sample, rows: Long, rowBytes: Double)

/**
 * Draws rows without replacement, each with the same probability: every row gets a random number,
 * and those with the smallest ones are taken (bottom-k sampling; a reservoir whose parts can be put
 * together). No more rows are held at once than are wanted.
 *
 * Where statistics tell that rows are many, those whose number is too large to be among the smallest
 * are filtered out before Spark puts their columns together, which is most of the work of reading
 * them. If they were not as many, too few are left, and they are read once more with more of them.
 */
object DrawSample {

  /**
   * @param columns whose values are wanted; of long texts and bytes a prefix, as trees are cut by
   * @param size    rows wanted at most
   * @param seed    the same seed gives the same sample of the same rows in the same partitions
   */
  def apply(rows: RowSource, columns: IndexedSeq[CutColumn], size: Int, seed: Long): Drawn = {
    val (part, share) = drawn(rows, columns, size, seed, firstShare(rows, size))
    val sample = part.drawn.map(row => values(row, columns))
    Drawn(Sample(columns, sample, longest(columns)), math.round(part.rows / share),
      part.bytes.toDouble / part.rows.max(1))
  }

  /** Rows below a number, so that it is likely that enough are. */
  private def firstShare(rows: RowSource, size: Int): Double = {
    val plan = rows.execute().optimizedPlan
    val known = plan.stats
    val unknown = BigInt(plan.conf.defaultSizeInBytes)
    if (known.sizeInBytes >= unknown) 1.0
    else {
      val estimated =
        known.rowCount.getOrElse(known.sizeInBytes / EstimationUtils.getSizePerRow(plan.output))
      likely(size, estimated.toDouble)
    }
  }

  private def likely(size: Int, of: Double): Double =
    (Margin * size.max(Counting) / of.max(1.0)).min(1.0)

  @tailrec
  private def drawn(
      rows: RowSource,
      columns: IndexedSeq[CutColumn],
      size: Int,
      seed: Long,
      share: Double): (Part, Double) = {
    val part = pass(rows, columns, size, seed, share)
    if (part.rows >= size.max(Counting) || share == 1.0) (part, share)
    else if (part.rows < Telling) drawn(rows, columns, size, seed, 1.0)
    else drawn(rows, columns, size, seed, likely(size, part.rows / share))
  }

  /** Rows with a number below the share, each as it is with its number behind it. */
  private def pass(
      rows: RowSource,
      columns: IndexedSeq[CutColumn],
      size: Int,
      seed: Long,
      share: Double): Part = {
    val names = rows.schema.fieldNames
    val wanted = columns.map { column =>
      val value = BoundReference(names.indexOf(column.name), column.dataType, nullable = true)
      if (column.ofBytes) Substring(value, Literal(1), Literal(longest(columns))) else value
    }
    val width = names.length
    val parts = rows.map(below(_, share, seed)).execute().toRdd.mapPartitions { rows =>
      val project = UnsafeProjection.create(wanted)
      val part = new Part(size)
      rows.foreach { row =>
        part.count(row)
        part.offer(row.getDouble(width), project(row).copy())
      }
      Iterator.single(part)
    }
    // The driver gets few of the parts, or one: each has as many rows as are wanted of all.
    parts.treeAggregate[Part](new Part(size), (all: Part, part: Part) => all.merge(part),
      (all: Part, part: Part) => all.merge(part), depth = 2,
      finalAggregateOnExecutor = parts.getNumPartitions > FewParts)
  }

  /** Documents and images in a sample would fill the driver's memory. */
  private def longest(columns: IndexedSeq[CutColumn]): Int =
    (CharactersOfRow / columns.count(_.ofBytes).max(1)).max(Prefix.Length).min(MostCharacters)

  /** All texts of a row together, while each has as many as the log keeps of bounds. */
  private val CharactersOfRow = 1024

  /** Texts that have more in common cannot be told apart. */
  private val MostCharacters = 256

  private def below(plan: LogicalPlan, share: Double, seed: Long): LogicalPlan = {
    val number = Alias(Rand(Literal(seed), hideSeed = true), "__colocate_number")()
    val numbered = Project(plan.output :+ number, plan)
    if (share == 1.0) numbered else Filter(LessThan(number.toAttribute, Literal(share)), numbered)
  }

  /** How many times as many rows as are wanted should be below the number. */
  private val Margin = 1.5

  /** With so many rows below the number, their count tells that of all within a few hundredths. */
  private val Counting = 5000

  private val FewParts = 4

  /** Fewer rows than these tell too little of how many there are. */
  private val Telling = 100

  private def values(row: UnsafeRow, columns: IndexedSeq[CutColumn]): Array[Any] =
    columns.indices.map(i => row.get(i, columns(i).dataType)).toArray

  final private class Part(size: Int) extends Serializable {

    // The greatest number first, as that row is the next to go.
    private val taken = mutable.PriorityQueue.empty[(Double, UnsafeRow)](Ordering.by(_._1))
    var rows = 0L
    var bytes = 0L

    /** The number behind a row is none of its bytes. */
    def count(row: InternalRow): Unit = {
      rows += 1
      bytes += (row match {
        case unsafe: UnsafeRow => unsafe.getSizeInBytes - 8
        case other => 8 * (other.numFields - 1)
      })
    }

    def offer(number: Double, row: => UnsafeRow): Unit =
      if (taken.length < size) taken += number -> row
      else if (number < taken.head._1) {
        taken.dequeue()
        taken += number -> row
      }

    def merge(other: Part): Part = {
      rows += other.rows
      bytes += other.bytes
      other.taken.foreach { case (number, row) => offer(number, row) }
      this
    }

    /** In the order of their numbers. */
    def drawn: IndexedSeq[UnsafeRow] = taken.toIndexedSeq.sortBy(_._1).map(_._2)
  }
}
