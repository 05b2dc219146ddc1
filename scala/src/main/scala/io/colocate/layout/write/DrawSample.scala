package io.colocate.layout.write

import java.util.SplittableRandom

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeRow, XXH64}

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
    val wanted = columns.map(column => (names.indexOf(column.name), column.dataType)).toArray
    val parts = rows.execute().toRdd.mapPartitionsWithIndex { (partition, rows) =>
      // Seeds a fixed step apart would give parts of one and the same sequence.
      val random = new SplittableRandom(XXH64.hashLong(partition.toLong, seed))
      val part = new Part(size)
      rows.foreach { row =>
        part.count(row)
        part.offer(random.nextLong(),
          wanted.map { case (ordinal, dataType) =>
            InternalRow.copyValue(row.get(ordinal, dataType))
          })
      }
      Iterator.single(part)
    }
    val all = if (parts.getNumPartitions == 0) new Part(size) else parts.treeReduce(_.merge(_))
    Drawn(Sample(columns, all.drawn), all.rows, all.bytes.toDouble / all.rows.max(1))
  }

  final private class Part(size: Int) extends Serializable {

    // The greatest number first, as that row is the next to go.
    private val taken = mutable.PriorityQueue.empty[(Long, Array[Any])](Ordering.by(_._1))
    var rows = 0L
    var bytes = 0L

    def count(row: InternalRow): Unit = {
      rows += 1
      bytes += (row match {
        case unsafe: UnsafeRow => unsafe.getSizeInBytes
        case other => 8 * other.numFields
      })
    }

    def offer(number: Long, values: => Array[Any]): Unit =
      if (taken.length < size) taken += number -> values
      else if (number < taken.head._1) {
        taken.dequeue()
        taken += number -> values
      }

    def merge(other: Part): Part = {
      rows += other.rows
      bytes += other.bytes
      other.taken.foreach { case (number, values) => offer(number, values) }
      this
    }

    /** In the order of their numbers. */
    def drawn: IndexedSeq[Array[Any]] = taken.toIndexedSeq.sortBy(_._1).map(_._2)
  }
}
