package io.colocate.multiway.exec

import java.util.{LinkedHashMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.scheduler.{SparkListener, SparkListenerApplicationEnd}

/** A relation that was broadcast; `rows` counts the rows before that, including NULL keys. */
final private[multiway] case class KeptRelation(broadcast: Broadcast[Any], bytes: Long, rows: Long)

/**
 * Relations that were broadcast for a query and that another one may use. As long as one is kept, its
 * broadcast stays alive, and so do the tries that executors made of it ([[JoinTables.shared]]). The
 * least recently used ones are dropped first.
 */
final private[multiway] class KeptRelations {

  private val kept = new LinkedHashMap[PlanFingerprint, KeptRelation](16, 0.75f, true)

  def get(plan: PlanFingerprint): Option[KeptRelation] = synchronized(Option(kept.get(plan)))

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
