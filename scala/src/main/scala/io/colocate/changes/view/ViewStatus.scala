package io.colocate.changes.view

import org.apache.spark.sql.classic.SparkSession

import io.colocate.changes.differentiate.Operators
import io.colocate.tables.commit.{HistoryEntry, TableLog}

/**
 * A source of a view.
 *
 * @param applied the version that the view's rows stand for
 * @param newest  what the source has now; the same for files, where nothing has changed
 */
final private[colocate] case class SourceStatus(source: String, applied: Long, newest: Option[Long])

/** What is known of a view without reading a data file. */
final private[colocate] class ViewStatus(session: SparkSession, log: TableLog) {

  private val view = log.snapshot().view.getOrElse(throw new NoView(log.path.toString))

  private lazy val definition = Definition(session, view.query, view.settings)

  def query: String = view.query

  def policy: String = view.policy

  def sources: Seq[SourceStatus] = {
    val newest = ViewSession.in(definition.session)(Sources.versions(definition.plan))
    view.sources.toSeq.sortBy(_._1).map { case (source, was) =>
      SourceStatus(source, was.version, newest.get(source).map(_.version))
    }
  }

  /** The commit that made the rows as they are: a compaction since then is none. */
  def refreshed: Option[HistoryEntry] = log.history.find(entry =>
    entry.info.operation == "REFRESH" || entry.info.operation == "CREATE MATERIALIZED VIEW")

  /** How each operator is maintained, the top first. */
  def operators: Seq[Operators.Verdict] = Operators.of(definition.plan)

  /** Why the next refresh computes all rows anew; empty if it need not. */
  def blocked: Seq[String] = ViewSession.in(definition.session) {
    Refresh.blocked(definition, view, Sources.versions(definition.plan), view.policy)
      .map(_.toString)
  }
}
