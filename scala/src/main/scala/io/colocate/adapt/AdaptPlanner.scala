package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.WriteCost
import io.colocate.adapt.window.Window
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.queries.AskedQueries
import io.colocate.tables.snapshot.Snapshot

/**
 * Finds out whether and how a table should be adapted to its queries. A sample of the table is read if
 * something may be worth it.
 */
final private class AdaptPlanner(session: SparkSession, log: TableLog, given_ : AdaptOptions) {

  import AdaptPlanner._

  def plan(): AdaptPlan = {
    val base = log.snapshot()
    val options =
      given_.costing(given_.writeCost.orElse(WriteCost(log.backFrom(base.version).map(_.info))))
    val queries = given_.queries.getOrElse(AskedQueries.of(log.path,
      session.sessionState.newHadoopConf()).queries)
    val window = Window.of(queries, base.schema, options.windows.max)
    val report =
      AdaptReport(None, window.length, 0, base.files.totalRows, 0, 0, options.cost, None, None)
    def declined(reason: Reason) = AdaptPlan(base, None, report.copy(reason = Some(reason)))
    refusal(base, window) match {
      case Some(reason) => declined(reason)
      case None =>
        base.trees.maxByOption(_.id).filter(_.leaves.length > 1) match {
          case None => declined(Reason(AdaptReasons.AdaptNoGain))
          case Some(tree) =>
            tree.cuts.find(cut =>
              !base.metadata.types.get(cut.column).contains(cut.dataType)) match {
              case Some(old) =>
                declined(Reason(AdaptReasons.AdaptColumnsChanged, "column" -> old.column))
              case None => new TreePlanner(session, log, options, base, tree, window).plan(report)
            }
        }
    }
  }

  private def refusal(base: Snapshot, window: Window): Option[Reason] =
    if (base.metadata.replicated) Some(Reason(AdaptReasons.AdaptReplicas))
    else
      Option.when(window.length < FewestQueries)(Reason(AdaptReasons.AdaptTooFewQueries,
        "queries" -> s"${window.length}", "fewest" -> s"$FewestQueries"))
}

object AdaptPlanner {

  /** Of fewer, none can be known to come again. */
  private val FewestQueries = 4
}
