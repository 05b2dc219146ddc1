package io.colocate.tables.write

import scala.annotation.tailrec
import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils

import io.colocate.report.Bytes
import io.colocate.tables.tree.{CutColumn, Prefix, Sample}

/**
 * A sample of a table's rows, with the number and the mean size of all rows.
 *
 * @param rows     exact if all rows were counted, otherwise within a few percent
 * @param rowBytes the mean size of a row in Spark's memory
 */
final case class Drawn(sample: Sample, rows: Long, rowBytes: Double)

/**
 * Draws rows without replacement, each with the same probability: every row gets a random number, and
 * the rows with the smallest numbers are taken (bottom-k sampling; a reservoir whose parts can be
 * merged). No more rows are held at once than are wanted.
 *
 * If statistics show many rows, those whose number is too large to be among the smallest are filtered
 * out before Spark assembles their columns, which is most of the work of reading them. If there were
 * fewer rows than estimated, too few are left, and the rows are read once more with a larger share.
 */
object DrawSample {

  /**
   * @param columns the columns to sample; of long texts and bytes a prefix, by which trees are cut
   * @param size    the most rows that are wanted
   * @param seed    the same seed gives the same sample of the same rows in the same partitions
   */
  def apply(rows: RowSource, columns: IndexedSeq[CutColumn], size: Int, seed: Long): Drawn = {
    val (part, share) = drawn(rows, columns, size, seed, firstShare(rows, size))
    val sample = part.drawn.map(row => values(row, columns))
    Drawn(Sample(columns, sample, longest(columns)), math.round(part.rows / share),
      part.bytes.toDouble / part.rows.max(1))
  }

  /** The share of rows to keep at first, so that there are likely to be enough. */
  private def firstShare(rows: RowSource, size: Int): Double = {
    val plan = rows.execute().optimizedPlan
    val known = plan.stats
    if (!Bytes.known(known.sizeInBytes)) 1.0
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

  /** Samples the rows whose number is below the share; each row has its number appended. */
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
    // The driver gets few of the parts, or one: each may have as many rows as are wanted in total.
    parts.treeAggregate[Part](new Part(size), (all: Part, part: Part) => all.merge(part),
      (all: Part, part: Part) => all.merge(part), depth = 2,
      finalAggregateOnExecutor = parts.getNumPartitions > FewParts)
  }

  /** Documents and images in a sample would fill the driver's memory. */
  private def longest(columns: IndexedSeq[CutColumn]): Int =
    (CharactersOfRow / columns.count(_.ofBytes).max(1)).max(Prefix.Length).min(MostCharacters)

  /** For all texts of a row together, unless each would get fewer than the log keeps of bounds. */
  private val CharactersOfRow = 1024

  /** Texts whose common beginning is longer cannot be separated. */
  private val MostCharacters = 256

  private def below(plan: LogicalPlan, share: Double, seed: Long): LogicalPlan = {
    val number = Alias(Rand(Literal(seed), hideSeed = true), "__colocate_number")()
    val numbered = Project(plan.output :+ number, plan)
    if (share == 1.0) numbered else Filter(LessThan(number.toAttribute, Literal(share)), numbered)
  }

  /** How many times as many rows as are wanted should be below the share. */
  private val Margin = 1.5

  /** With so many rows below the share, their count gives that of all rows within a few percent. */
  private val Counting = 5000

  private val FewParts = 4

  /** Fewer rows than these are too few to estimate how many there are. */
  private val Telling = 100

  private def values(row: UnsafeRow, columns: IndexedSeq[CutColumn]): Array[Any] =
    columns.indices.map(i => row.get(i, columns(i).dataType)).toArray

  final private class Part(size: Int) extends Serializable {

    // The greatest number first, as that row is the next to go.
    private val taken = mutable.PriorityQueue.empty[(Double, UnsafeRow)](Ordering.by(_._1))
    var rows = 0L
    var bytes = 0L

    /** The number appended to a row does not count among its bytes. */
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
