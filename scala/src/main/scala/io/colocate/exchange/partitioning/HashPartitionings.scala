package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical._

/** Small helpers for partitionings. Keys are compared semantically, as Spark compares them. */
object HashPartitionings {

  /** The partitionings that hold at once. */
  def members(partitioning: Partitioning): Seq[Partitioning] = partitioning match {
    case PartitioningCollection(parts) => parts.flatMap(members)
    case other => Seq(other)
  }

  /** The hash partitionings that hold at once. */
  def hashes(partitioning: Partitioning): Seq[Hashed] = members(partitioning).collect {
    case h: HashPartitioning =>
      Hashed(h, h.expressions, h.isInstanceOf[CoHashPartitioning])
    case c: CoalescedHashPartitioning =>
      Hashed(c, c.from.expressions, c.from.isInstanceOf[CoHashPartitioning])
  }

  /**
   * @param partitioning Spark's or ours
   * @param keys         the hashed expressions, in order
   * @param co           true if it may serve joins on more keys
   */
  final case class Hashed(partitioning: Partitioning, keys: Seq[Expression], co: Boolean) {
    def n: Int = partitioning.numPartitions
  }

  /**
   * True if rows are hashed on exactly these keys, and, if `shared`, in a partitioning that may serve more
   * keys.
   */
  def lies(partitioning: Partitioning, keys: Seq[Expression], n: Int, shared: Boolean): Boolean =
    hashes(partitioning).exists(h => h.n == n && (h.co || !shared) && sameKeys(h.keys, keys))

  /** The position of each key among the required keys; None if one is not among them. */
  def positions(keys: Seq[Expression], required: Seq[Expression]): Option[Seq[Int]] = {
    val found = keys.map(k => required.indexWhere(_.semanticEquals(k)))
    if (found.contains(-1) || keys.isEmpty) None else Some(found)
  }

  def sameKeys(a: Seq[Expression], b: Seq[Expression]): Boolean =
    a.length == b.length && a.zip(b).forall { case (x, y) => x.semanticEquals(y) }

  /** Drops repetitions, keeping the first of each. */
  def distinct(partitionings: Seq[Seq[Expression]]): Seq[Seq[Expression]] =
    partitionings.foldLeft(Vector.empty[Seq[Expression]]) { (kept, keys) =>
      if (keys.isEmpty || kept.exists(sameKeys(_, keys))) kept else kept :+ keys
    }

  def names(keys: Seq[Expression]): Seq[String] = keys.map {
    case a: Attribute => a.name
    case e => e.sql
  }

  def text(keys: Seq[Expression]): String = names(keys).mkString(", ")
}
