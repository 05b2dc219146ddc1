package io.colocate.tables.scan

import java.util.{Collections, LinkedHashMap, Map => JMap}
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.LongAdder

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path

/**
 * How often queries that this driver planned have read each leaf of a tree, for the picture of the tree.
 * The counts of the least recently read trees are dropped.
 */
object LeafReads {

  private[tables] val MostTrees = 256

  private type Leaves = ConcurrentHashMap[Int, LongAdder]

  private val counts: JMap[(Path, Int), Leaves] =
    Collections.synchronizedMap(new LinkedHashMap[(Path, Int), Leaves](16, 0.75f, true) {
      override protected def removeEldestEntry(eldest: JMap.Entry[(Path, Int), Leaves]): Boolean =
        size > MostTrees
    })

  private[tables] def note(table: Path, tree: Int, leaves: Iterator[Int]): Unit = {
    val distinct = leaves.distinct.toArray
    if (distinct.nonEmpty) {
      val counted = counts.computeIfAbsent((table, tree), _ => new Leaves)
      distinct.foreach(counted.computeIfAbsent(_, _ => new LongAdder).increment())
    }
  }

  /** The number of reads by leaf, for the leaves that were read. */
  def of(table: Path, tree: Int): Map[Int, Long] =
    Option(counts.get((table, tree))).fold(Map.empty[Int, Long])(_.asScala.toMap.map {
      case (leaf, count) => leaf -> count.sum
    })
}
