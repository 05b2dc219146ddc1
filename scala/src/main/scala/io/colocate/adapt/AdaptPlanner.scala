package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.WriteCost
import io.colocate.adapt.window.Window
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.queries.AskedQueries
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * Finds out whether and how a table should be adapted to its queries. A sample of the table is read if
 * something may be worth it.
 */
final private class AdaptPlanner(session: SparkSession, log: TableLog, given_ : AdaptOptions) {

  import AdaptPlanner._

  def plan(): AdaptPlan = {
    val base = log.snapshot()
    // Each is a file of the log, and is read once.
    val commits = log.backFrom(base.version).to(LazyList)
    val options =
      given_.copy(writeCost = given_.writeCost.orElse(WriteCost(commits.iterator.map(_.info))))
    val queries = given_.queries.getOrElse(AskedQueries.of(log.path,
      session.sessionState.newHadoopConf()).queries)
    val window = Window.of(queries, base.schema, options.windows.max)
    val report =
      AdaptReport(None, window.length, 0, base.files.totalRows, 0, 0, options.cost, None, None)
    val keys = new KeyPlanner(session, log, options, base, commits, queries, window)
    keys.plan(report) match {
      case Right(move) => move
      case Left(stays) =>
        val plan = adaptable(base, window) match {
          case Left(reason) => AdaptPlan(base, None, report.copy(reason = Some(reason)))
          case Right(tree) =>
            new TreePlanner(session, log, options, base, commits, tree, window, keys.saved)
              .plan(report)
        }
        stays.filter(_ => plan.isNone).fold(plan)(why =>
          plan.copy(report = plan.report.copy(reason = Some(why))))
    }
  }

  /** The newest tree, or why it cannot be adapted. */
  private def adaptable(base: Snapshot, window: Window): Either[Reason, RobustTree] = for {
    _ <- Either.cond(!base.metadata.replicated, (), Reason(AdaptReasons.AdaptReplicas))
    _ <- Either.cond(window.length >= FewestQueries, (),
      Reason(AdaptReasons.AdaptTooFewQueries, "queries" -> s"${window.length}",
        "fewest" -> s"$FewestQueries"))
    tree <- base.trees.maxByOption(_.id).filter(_.leaves.length > 1)
      .toRight(Reason(AdaptReasons.AdaptNoGain))
    _ <- tree.cuts.find(cut => !base.metadata.types.get(cut.column).contains(cut.dataType))
      .map(old => Reason(AdaptReasons.AdaptColumnsChanged, "column" -> old.column)).toLeft(())
  } yield tree
}

object AdaptPlanner {

  /** Of fewer, none can be known to come again. */
  private val FewestQueries = 4
}
