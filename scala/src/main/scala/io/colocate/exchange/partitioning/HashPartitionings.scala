package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical._

/** Small questions about layouts. Keys are compared as Spark compares them, by their meaning. */
object HashPartitionings {

  /** The layouts that hold at once. */
  def members(partitioning: Partitioning): Seq[Partitioning] = partitioning match {
    case PartitioningCollection(parts) => parts.flatMap(members)
    case other => Seq(other)
  }

  /** The hash layouts that hold at once, each as its keys and number of partitions. */
  def hashes(partitioning: Partitioning): Seq[Hashed] = members(partitioning).collect {
    case h: HashPartitioning =>
      Hashed(h.expressions, h.numPartitions, h.isInstanceOf[CoHashPartitioning])
    case c: CoalescedHashPartitioning =>
      Hashed(c.from.expressions, c.numPartitions, c.from.isInstanceOf[CoHashPartitioning])
  }

  /**
   * @param keys  what is hashed, in order
   * @param n     number of partitions
   * @param co    true where it may serve joins on more keys
   */
  final case class Hashed(keys: Seq[Expression], n: Int, co: Boolean)

  /** True where rows lie hashed on just these keys, in a layout that serves more if it must. */
  def lies(layout: Partitioning, keys: Seq[Expression], n: Int, shared: Boolean): Boolean =
    hashes(layout).exists(h => h.n == n && (h.co || !shared) && sameKeys(h.keys, keys))

  /** The position of each key among the required keys; None where one is not among them. */
  def positions(keys: Seq[Expression], required: Seq[Expression]): Option[Seq[Int]] = {
    val found = keys.map(k => required.indexWhere(_.semanticEquals(k)))
    if (found.contains(-1) || keys.isEmpty) None else Some(found)
  }

  def sameKeys(a: Seq[Expression], b: Seq[Expression]): Boolean =
    a.length == b.length && a.zip(b).forall { case (x, y) => x.semanticEquals(y) }

  /** Drops repetitions, keeping the first of each. */
  def distinct(layouts: Seq[Seq[Expression]]): Seq[Seq[Expression]] =
    layouts.foldLeft(Vector.empty[Seq[Expression]]) { (kept, keys) =>
      if (keys.isEmpty || kept.exists(sameKeys(_, keys))) kept else kept :+ keys
    }

  def names(keys: Seq[Expression]): Seq[String] = keys.map {
    case a: Attribute => a.name
    case e => e.sql
  }

  def text(keys: Seq[Expression]): String = names(keys).mkString(", ")
}
