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
 * same rows. Where files have come since, only their rows are read and sent.
 *
 * {{{
 *   ColocateBroadcast [src, dst], kept from a query before
 *   +- FileScan edges                     is not read
 * }}}
 *
 * Valid if the [[PlanFingerprint]] is equal, or has more files, and the files are unchanged, which the file
 * system is asked each time. Everything else is done by Spark's own exchange.
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

  /** What is kept of fewer files, and the exchange that reads the others. */
  @transient private lazy val earlier: Option[(EarlierRelation, BroadcastExchangeExec)] =
    if (kept.isDefined) None
    else
      plan.flatMap(KeptRelations.of(sparkContext).before).map { found =>
        (found, BroadcastExchangeExec(mode, SomeFiles.of(child, found.files)))
      }

  private def reads: BroadcastExchangeExec = earlier.fold(exchange)(_._2)

  override def jobTag: String = reads.jobTag

  override lazy val metrics: Map[String, SQLMetric] = exchange.metrics ++ Map(
    "kept" -> SQLMetrics.createMetric(sparkContext, "number of relations kept from a query before"),
    "later" -> SQLMetrics.createMetric(sparkContext, "number of rows that came since"))

  /** Does nothing, as in Spark's own exchange: a broadcast is not repeated, and its size is still needed. */
  override def resetMetrics(): Unit = ()

  override def outputPartitioning: Partitioning = BroadcastPartitioning(mode)

  override protected def doCanonicalize(): SparkPlan =
    ColocateBroadcast(mode.canonicalized.asInstanceOf[RelationMode], child.canonicalized)

  override def runtimeStatistics: Statistics = exchange.runtimeStatistics

  override def doPrepare(): Unit = kept match {
    case Some(relation) => found(relation, later = 0)
    case None => reads.prepare()
  }

  @transient override lazy val completionFuture: Future[Broadcast[Any]] = kept match {
    case Some(relation) => Future.successful(any(relation.broadcast))
    case None =>
      // Runs on the thread that has read the rows.
      reads.submitBroadcastJob().map(made)(ExecutionContext.parasitic)
  }

  @transient override lazy val relationFuture: JavaFuture[Broadcast[Any]] = kept match {
    case Some(relation) => CompletableFuture.completedFuture(any(relation.broadcast))
    case None => completionFuture.asJava.toCompletableFuture
  }

  override def doExecuteBroadcast[T](): Broadcast[T] = {
    val broadcast = kept.fold(made(reads.executeBroadcast[Any]()))(r => any(r.broadcast))
    broadcast.asInstanceOf[Broadcast[T]]
  }

  private def any(broadcast: Broadcast[_]): Broadcast[Any] = broadcast.asInstanceOf[Broadcast[Any]]

  private def found(relation: KeptRelation, later: Long): Unit = {
    metrics("dataSize").set(relation.bytes)
    metrics("numOutputRows").set(relation.rows)
    metrics("kept").set(1)
    metrics("later").set(later)
    SQLMetrics.postDriverMetricUpdates(sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY), metrics.values.toSeq)
  }

  /** Keeps the broadcast, if the files did not change meanwhile. */
  private def made(broadcast: Broadcast[Any]): Broadcast[Any] = {
    val relations = KeptRelations.of(sparkContext)
    val sent = broadcast.asInstanceOf[Broadcast[Array[InternalRow]]]
    val read =
      KeptRelation(sent, reads.metrics("dataSize").value, reads.metrics("numOutputRows").value,
        whole = plan.fold(0L)(_.bytes), complete = !RelationMode.tooLarge(sent.value))
    if (earlier.isEmpty || read.complete) keep(relations, read)
    // Together they may still be few enough, or not: that is decided by all rows.
    else exchange.executeBroadcast[Any]()
  }

  private def keep(relations: KeptRelations, read: KeptRelation): Broadcast[Any] = {
    val limit = ColocateConf.MultiwayKeepBytes(conf)
    val whole = earlier.fold(read)(_._1.relation.and(read))
    for (plan <- plan if whole.bytes <= limit && unchanged(plan))
      earlier.fold(relations.put(plan, whole, limit)) { case (before, _) =>
        relations.replace(before.plan, plan, whole, limit)
      }
    if (earlier.isDefined) found(whole, later = read.rows)
    any(whole.broadcast)
  }

  /** False too if the file system fails: reading the files reports what is wrong with them. */
  private def unchanged(plan: PlanFingerprint): Boolean =
    try plan.holds(session.sessionState.newHadoopConfWithOptions(PlanFingerprint.options(child)))
    catch { case NonFatal(_) => false }

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException("a broadcast has no rows of its own")

  override def simpleString(maxFields: Int): String = {
    val columns = mode.keys.map(child.output(_).name).mkString("[", ", ", "]")
    s"$nodeName $columns$keptText"
  }

  private def keptText: String =
    if (metrics("kept").value == 0) ""
    else if (metrics("later").value == 0) ", kept from a query before"
    else s", kept from a query before, and ${metrics("later").value} rows more"

  override protected def withNewChildInternal(newChild: SparkPlan): ColocateBroadcast =
    copy(child = newChild)
}
