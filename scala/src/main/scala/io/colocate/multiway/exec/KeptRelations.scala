package io.colocate.multiway.exec

import java.util.{LinkedHashMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.scheduler.{SparkListener, SparkListenerApplicationEnd}
import org.apache.spark.sql.catalyst.InternalRow

/**
 * A relation that was broadcast.
 *
 * @param bytes as received
 * @param rows  before that, including NULL keys
 * @param whole the bytes of the files of its first layer ([[LayeredBroadcast]])
 * @param complete false if its rows took too much memory, and a marker was sent instead
 */
final private[multiway] case class KeptRelation(
    broadcast: Broadcast[Array[InternalRow]],
    bytes: Long,
    rows: Long,
    whole: Long,
    complete: Boolean) {

  def layers: Int = LayeredBroadcast.layers(broadcast).length

  /** The same with rows that came later. */
  def and(later: KeptRelation): KeptRelation =
    copy(new LayeredBroadcast(LayeredBroadcast.layers(broadcast) :+ later.broadcast),
      bytes + later.bytes, rows + later.rows)
}

/** A relation that is kept, and the files whose rows it lacks. */
final private[multiway] case class EarlierRelation(
    plan: PlanFingerprint,
    relation: KeptRelation,
    files: Seq[PinnedFile])

/**
 * Relations that were broadcast for a query and that another one may use. As long as one is kept, its
 * broadcast stays alive, and so do the tries that executors made of it ([[SharedIndexes]]). The
 * least recently used ones are dropped first.
 */
final private[multiway] class KeptRelations {

  private val kept = new LinkedHashMap[PlanFingerprint, KeptRelation](16, 0.75f, true)

  def get(plan: PlanFingerprint): Option[KeptRelation] = synchronized(Option(kept.get(plan)))

  /** The relation that lacks the fewest files of a plan; none if these are many. */
  def before(plan: PlanFingerprint): Option[EarlierRelation] = synchronized {
    val found = for {
      (known, relation) <- kept.asScala.toSeq
      if relation.layers < KeptRelations.MostLayers && relation.complete
      if plan.bytes - relation.whole <= KeptRelations.Few + relation.whole / KeptRelations.Share
      files <- plan.since(known)
    } yield EarlierRelation(known, relation, files)
    found.minByOption(_.files.length)
  }

  /** Keeps a relation in the place of the one that it rests on. */
  def replace(
      before: PlanFingerprint,
      plan: PlanFingerprint,
      relation: KeptRelation,
      limit: Long): Unit = synchronized {
    if (relation.bytes <= limit) kept.remove(before)
    put(plan, relation, limit)
  }

  /** Keeps a relation, dropping others if necessary. */
  def put(plan: PlanFingerprint, relation: KeptRelation, limit: Long): Unit = synchronized {
    if (relation.bytes <= limit) {
      kept.put(plan, relation)
      shrink(limit)
    }
  }

  /** Drops relations above the limit. A query that still joins one has its broadcast sent again. */
  def shrink(limit: Long): Unit = synchronized {
    val eldest = kept.entrySet.iterator
    while (bytes > limit && eldest.hasNext) {
      eldest.next().getValue.broadcast.unpersist()
      eldest.remove()
    }
  }

  def bytes: Long = synchronized(kept.values.asScala.map(_.bytes).sum)

  def unpersist(): Unit = synchronized(kept.values.forEach(_.broadcast.unpersist(blocking = true)))

  /** Does not notify executors: the application has ended. */
  private def clear(): Unit = synchronized(kept.clear())
}

private[multiway] object KeptRelations {

  /** One with more layers is broadcast as a whole again. */
  private val MostLayers = 64

  /** So is one to which files of more than one of so many bytes have come, */
  private val Share = 4

  /** beside the bytes that small files have in any case. */
  private val Few = 64L << 10

  private val byContext = new WeakHashMap[SparkContext, KeptRelations]

  private[multiway] def of(context: SparkContext): KeptRelations = byContext.synchronized {
    Option(byContext.get(context)).getOrElse {
      val made = new KeptRelations
      byContext.put(context, made)
      context.addSparkListener(new SparkListener {
        override def onApplicationEnd(end: SparkListenerApplicationEnd): Unit = made.clear()
      })
      made
    }
  }

  /** The bytes that are kept. */
  def bytes(context: SparkContext): Long = of(context).bytes

  /** For tests: removes all kept relations from the executors. */
  def unpersist(context: SparkContext): Unit = of(context).unpersist()
}
