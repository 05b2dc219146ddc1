package io.colocate.adapt

import java.util.concurrent.{ConcurrentHashMap, Executors, ExecutorService, TimeUnit}

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.SQLExecution

import io.colocate.rule.ColocateConf
import io.colocate.tables.commit.TableLog
import io.colocate.tables.queries.{AdaptMode, StoredQueriesListener}

/**
 * Adapts tables by itself: those whose option `adapt` is `auto`, after queries of a session with
 * `spark.colocate.adapt.background` were written beside them.
 *
 * One thread of a driver does it, one table after the other, in a session and a scheduler pool of its
 * own. Of several drivers one does it in each span of time ([[AdaptLease]]). Whatever fails is logged, and
 * tried again later; no query waits for it.
 */
object AdaptInBackground extends StoredQueriesListener with Logging {

  val Pool: String = "colocate-adapt"

  private val tables = new ConcurrentHashMap[Path, Attempts]

  private lazy val thread: ExecutorService = Executors.newSingleThreadExecutor { (task: Runnable) =>
    val thread = new Thread(task, "colocate-adapt")
    thread.setDaemon(true)
    thread
  }

  override def stored(session: SparkSession, table: Path): Unit =
    if (ColocateConf.AdaptBackground(session.sessionState.conf)) {
      val attempts = tables.computeIfAbsent(table, _ => new Attempts)
      val pause = ColocateConf.AdaptMinutes(session.sessionState.conf)
      if (attempts.begin(System.nanoTime, TimeUnit.MINUTES.toNanos(pause.toLong)))
        thread.execute(() => attempts.end(tried(session, table)))
    }

  /** @return false if it failed */
  private def tried(session: SparkSession, table: Path): Boolean =
    try {
      val log = TableLog.open(table, session.sessionState.newHadoopConf(),
        ColocateConf.LayoutSingleWriter(session.sessionState.conf))
      val minutes = ColocateConf.AdaptMinutes(session.sessionState.conf)
      val isAuto = AdaptMode.of(log.snapshot().metadata.options) == AdaptMode.Auto
      if (isAuto && !session.sparkContext.isStopped && AdaptLease(session, log, minutes).taken())
        adapt(session, log)
      true
    } catch {
      // Also an interruption, when the application ends.
      case e @ (NonFatal(_) | _: InterruptedException) =>
        if (!session.sparkContext.isStopped)
          logWarning(s"$table could not be adapted to its queries, and is as it was.", e)
        false
    }

  private def adapt(session: SparkSession, log: TableLog): Unit = {
    val own = session.newSession().asInstanceOf[SparkSession]
    val context = own.sparkContext
    context.setLocalProperty("spark.scheduler.pool", Pool)
    context.setJobGroup(Pool, s"Colocate adapts ${log.path}", interruptOnCancel = true)
    val query = own.range(0).queryExecution
    val report =
      own.withActive(SQLExecution.withNewExecutionId(query, Some(Pool))(new Adapt(own, log,
        AdaptOptions())()))
    logInfo(s"${log.path}: ${report.sentence}")
  }

  /** When a table was last tried, and how often that failed since it last did not. */
  final private class Attempts {
    private var last = Option.empty[Long]
    private var running = false
    private var failures = 0

    /** Each failure doubles the pause, up to 64 times. */
    def begin(now: Long, pause: Long): Boolean = synchronized {
      val due = last.forall(now - _ >= (pause << failures.min(6)))
      val begins = due && !running
      if (begins) {
        last = Some(now)
        running = true
      }
      begins
    }

    def end(well: Boolean): Unit = synchronized {
      running = false
      failures = if (well) 0 else failures + 1
    }
  }
}
