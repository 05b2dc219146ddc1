package io.colocate.multiway.exec

import java.util.concurrent.{CompletableFuture, Future => JavaFuture}

import scala.concurrent.{ExecutionContext, Future}
import scala.jdk.FutureConverters._
import scala.util.control.NonFatal

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastPartitioning, Partitioning}
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, BroadcastExchangeLike, Exchange}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.colocate.multiway.model.RelationMode
import io.colocate.rule.{ColocateConf, ColocateNode}

/**
 * Broadcasts an input of a multiway join, or reuses the broadcast that an earlier query has made of the
 * same rows.
 *
 * {{{
 *   ColocateBroadcast [src, dst], kept from a query before
 *   +- FileScan edges                     is not read
 * }}}
 *
 * Valid if the [[PlanFingerprint]] is equal and its files are unchanged, which the file system is asked
 * each time. Everything else is done by Spark's own exchange.
 */
final case class ColocateBroadcast(mode: RelationMode, child: SparkPlan)
    extends Exchange
    with BroadcastExchangeLike
    with ColocateNode {

  /** Reads the rows if necessary. It is not in the plan, where it would be planned once more. */
  @transient private lazy val exchange = BroadcastExchangeExec(mode, child)

  @transient private lazy val plan: Option[PlanFingerprint] =
    try PlanFingerprint.of(mode, child, conf).filter(unchanged)
    catch { case NonFatal(_) => None }

  @transient private lazy val kept: Option[KeptRelation] =
    plan.flatMap(KeptRelations.of(sparkContext).get)

  override def jobTag: String = exchange.jobTag

  override lazy val metrics: Map[String, SQLMetric] = exchange.metrics +
    ("kept" -> SQLMetrics.createMetric(sparkContext,
      "number of relations kept from a query before"))

  /** Does nothing, as in Spark's own exchange: a broadcast is not repeated, and its size is still needed. */
  override def resetMetrics(): Unit = ()

  override def outputPartitioning: Partitioning = BroadcastPartitioning(mode)

  override protected def doCanonicalize(): SparkPlan =
    ColocateBroadcast(mode.canonicalized.asInstanceOf[RelationMode], child.canonicalized)

  override def runtimeStatistics: Statistics = exchange.runtimeStatistics

  override def doPrepare(): Unit = kept match {
    case Some(relation) => found(relation)
    case None => exchange.prepare()
  }

  @transient override lazy val completionFuture: Future[Broadcast[Any]] = kept match {
    case Some(relation) => Future.successful(relation.broadcast)
    case None =>
      // Runs on the thread that has read the rows.
      exchange.submitBroadcastJob().map(made)(ExecutionContext.parasitic)
  }

  @transient override lazy val relationFuture: JavaFuture[Broadcast[Any]] = kept match {
    case Some(relation) => CompletableFuture.completedFuture(relation.broadcast)
    case None => completionFuture.asJava.toCompletableFuture
  }

  override def doExecuteBroadcast[T](): Broadcast[T] = {
    val broadcast = kept.fold(made(exchange.executeBroadcast[Any]()))(_.broadcast)
    broadcast.asInstanceOf[Broadcast[T]]
  }

  private def found(relation: KeptRelation): Unit = {
    metrics("dataSize").set(relation.bytes)
    metrics("numOutputRows").set(relation.rows)
    metrics("kept").set(1)
    SQLMetrics.postDriverMetricUpdates(sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY), metrics.values.toSeq)
  }

  /** Keeps the broadcast, if the files did not change meanwhile. */
  private def made(broadcast: Broadcast[Any]): Broadcast[Any] = {
    val limit = ColocateConf.MultiwayKeepBytes(conf)
    val bytes = metrics("dataSize").value
    for (plan <- plan if bytes <= limit && unchanged(plan))
      KeptRelations.of(sparkContext).put(plan,
        KeptRelation(broadcast, bytes, metrics("numOutputRows").value), limit)
    broadcast
  }

  /** False too if the file system fails: reading the files reports what is wrong with them. */
  private def unchanged(plan: PlanFingerprint): Boolean =
    try plan.holds(session.sessionState.newHadoopConfWithOptions(PlanFingerprint.options(child)))
    catch { case NonFatal(_) => false }

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException("a broadcast has no rows of its own")

  override def simpleString(maxFields: Int): String = {
    val columns = mode.keys.map(child.output(_).name).mkString("[", ", ", "]")
    s"$nodeName $columns${if (metrics("kept").value > 0) ", kept from a query before" else ""}"
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ColocateBroadcast =
    copy(child = newChild)
}
