package io.colocate.layout.write

import java.util.SplittableRandom

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, UnsafeProjection, UnsafeRow, XXH64}

import io.colocate.layout.tree.{CutColumn, Sample}

/**
 * Rows that stand for a table, and how many and how large all its rows are.
 *
 * @param rowBytes the mean size of a row in Spark's memory
 */
final case class Drawn(sample: Sample, rows: Long, rowBytes: Double)

/**
 * Draws rows without replacement, each with the same probability: every row gets a random number,
 * and those with the smallest ones are taken (bottom-k sampling; a reservoir whose parts can be put
 * together). One pass; no more rows are held at once than are wanted.
 */
object DrawSample {

  /**
   * @param columns whose values are wanted
   * @param size    rows wanted at most
   * @param seed    the same seed gives the same sample of the same rows in the same partitions
   */
  def apply(rows: Rows, columns: IndexedSeq[CutColumn], size: Int, seed: Long): Drawn = {
    val names = rows.schema.fieldNames
    val wanted = columns.map { column =>
      BoundReference(names.indexOf(column.name), column.dataType, nullable = true)
    }
    val parts = rows.execute().toRdd.mapPartitionsWithIndex { (partition, rows) =>
      // Seeds a fixed step apart would give parts of one and the same sequence.
      val random = new SplittableRandom(XXH64.hashLong(partition.toLong, seed))
      val project = UnsafeProjection.create(wanted)
      val part = new Part(size)
      rows.foreach { row =>
        part.count(row)
        part.offer(random.nextLong(), project(row).copy())
      }
      Iterator.single(part)
    }
    val all = if (parts.getNumPartitions == 0) new Part(size) else parts.treeReduce(_.merge(_))
    val drawn = all.drawn.map(row => values(row, columns))
    Drawn(Sample(columns, drawn), all.rows, all.bytes.toDouble / all.rows.max(1))
  }

  private def values(row: UnsafeRow, columns: IndexedSeq[CutColumn]): Array[Any] =
    columns.indices.map(i => row.get(i, columns(i).dataType)).toArray

  final private class Part(size: Int) extends Serializable {

    // The greatest number first, as that row is the next to go.
    private val taken = mutable.PriorityQueue.empty[(Long, UnsafeRow)](Ordering.by(_._1))
    var rows = 0L
    var bytes = 0L

    def count(row: InternalRow): Unit = {
      rows += 1
      bytes += (row match {
        case unsafe: UnsafeRow => unsafe.getSizeInBytes
        case other => 8 * other.numFields
      })
    }

    def offer(number: Long, row: => UnsafeRow): Unit =
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
