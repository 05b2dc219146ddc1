package io.colocate.tables.scan

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLongArray

import org.apache.hadoop.fs.Path

/** How often queries that this driver planned have read each leaf of a tree; for the picture of it. */
object LeafReads {

  private val counts = new ConcurrentHashMap[(Path, Int), AtomicLongArray]()

  private[tables] def note(table: Path, tree: Int, leaves: Iterator[Int]): Unit = {
    val distinct = leaves.distinct.toArray
    if (distinct.nonEmpty) {
      val counted = counts.compute((table, tree), (_, old) => grown(old, distinct.max + 1))
      distinct.foreach(counted.incrementAndGet)
    }
  }

  /** By leaf. */
  def of(table: Path, tree: Int): Map[Int, Long] =
    Option(counts.get((table, tree))).fold(Map.empty[Int, Long])(counted =>
      (0 until counted.length).map(leaf => leaf -> counted.get(leaf)).toMap)

  private def grown(old: AtomicLongArray, length: Int): AtomicLongArray =
    if (old != null && old.length >= length) old
    else {
      val fresh = new AtomicLongArray(length)
      if (old != null) (0 until old.length).foreach(i => fresh.set(i, old.get(i)))
      fresh
    }
}
