package io.colocate.tables.queries

import java.util.concurrent.{Executors, ScheduledExecutorService, TimeUnit}
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._
import scala.util.matching.Regex

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerApplicationEnd}
import org.apache.spark.sql.classic.SparkSession

/**
 * Writes the queries of a driver to files beside their tables: when enough wait, now and then, and when
 * the application ends. One thread does it, never that of a query.
 *
 * A driver that may not write beside a table keeps its queries in memory, and says so once.
 *
 * @param secret predicates with such texts are not kept
 */
final private[tables] class QueryRecorder(session: SparkSession, val secret: Option[Regex]) {

  /** Called on the thread of a query, so it does no more than ask another one. */
  private[queries] def later(table: Path, queries: QueriesInMemory): Unit = {
    QueryRecorder.listen(session.sparkContext)
    val first = QueryRecorder.waiting.putIfAbsent(queries, (table, session)) == null
    if (first) QueryRecorder.schedule(queries, QueryRecorder.MostMinutes)
    if (queries.waiting >= QueryRecorder.Enough) QueryRecorder.schedule(queries, 0)
  }
}

/** Is told when queries of a table were written, on the thread that does it. */
trait StoredQueriesListener {
  def stored(session: SparkSession, table: Path): Unit
}

object QueryRecorder extends Logging {

  @volatile private var listener = Option.empty[StoredQueriesListener]

  private[colocate] def tell(listener: StoredQueriesListener): Unit = this.listener = Some(listener)

  private[queries] val Enough = 32
  private[queries] val MostMinutes = 5

  /** Not by table: one whose queries were forgotten has others now. */
  private val waiting = new ConcurrentHashMap[QueriesInMemory, (Path, SparkSession)]
  private val listening = ConcurrentHashMap.newKeySet[String]()

  private lazy val thread: ScheduledExecutorService =
    Executors.newSingleThreadScheduledExecutor { (task: Runnable) =>
      val thread = new Thread(task, "colocate-queries")
      thread.setDaemon(true)
      thread
    }

  private def schedule(queries: QueriesInMemory, minutes: Int): Unit =
    thread.schedule((() => store(queries)): Runnable, minutes.toLong, TimeUnit.MINUTES)

  private def store(queries: QueriesInMemory): Unit = Option(waiting.remove(queries)).foreach {
    case (table, session) =>
      store(table, queries, session.sessionState.newHadoopConf())
      if (queries.refused.isEmpty) listener.foreach(_.stored(session, table))
  }

  /** Writes the queries that wait, now. */
  private[queries] def store(table: Path, queries: QueriesInMemory, conf: Configuration): Unit =
    try queries.store(new QueryFiles(table, conf).write(_))
    catch {
      case e: Exception =>
        logInfo(s"Queries of $table stay in memory, as no file can be written beside it: $e")
    }

  /** When the application ends, what waits is written. */
  private def listen(context: SparkContext): Unit =
    if (listening.add(context.applicationId)) {
      context.addSparkListener(new SparkListener {
        override def onApplicationEnd(end: SparkListenerApplicationEnd): Unit =
          waiting.keySet.asScala.toSeq.foreach(store)
      })
    }
}
