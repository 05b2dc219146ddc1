package io.colocate.adapt

import java.util.Locale

import scala.annotation.tailrec

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.WriteCost
import io.colocate.adapt.keys.KeyMove
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, ConcurrentChange, FileAdded, TreeAdded}
import io.colocate.tables.operations.Transaction
import io.colocate.tables.queries.AdaptNotes
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.write.{LeafWriter, TaskTime}

/**
 * Adapts a table to its queries: subtrees that they read more of than they need are built anew, and the
 * rows below are written into the new leaves. The rows stay the same, and readers and appends are not
 * disturbed.
 *
 * {{{
 *   leaf 0, leaf 1, leaf 2, leaf 3   =>   leaf 0, leaf 1, and leaves 4 and 5 in place of 2 and 3
 * }}}
 *
 * Or its rows move to a tree by another join key, if it is joined by that now.
 *
 * [[AdaptPlanner]] says whether that is worth it.
 */
final class Adapt(session: SparkSession, log: TableLog, options: AdaptOptions) {

  import Adapt._

  private val transaction = new Transaction(session, log)
  private val planner = new AdaptPlanner(session, log, options)

  /** What would be done, without doing it. */
  def planned(): AdaptReport = noted(planner.plan().report)

  def apply(): AdaptReport = noted(tried(Tries))

  private def noted(report: AdaptReport): AdaptReport = {
    AdaptNotes.note(log.path, report.sentence)
    report
  }

  /** Another writer may have been faster. Its version is read then, and planned again. */
  @tailrec
  private def tried(tries: Int): AdaptReport = {
    val plan = planner.plan()
    val done =
      if (plan.isNone) Some(plan.report)
      else
        try Some(plan.report.copy(version = committed(plan)))
        catch { case _: ConcurrentChange => None }
    done match {
      case Some(report) => report
      case None if tries == 1 => busy(plan.report)
      case None => tried(tries - 1)
    }
  }

  private def busy(report: AdaptReport): AdaptReport =
    report.copy(rewritten = 0, readShareAfter = report.readShare, price = None, joinKey = None,
      reason = Some(Reason(AdaptReasons.AdaptBusy)))

  private def committed(plan: AdaptPlan): Option[Long] =
    plan.move.map(moved(plan, _)).orElse(plan.change.map(commit(plan, _)))

  private def moved(plan: AdaptPlan, move: KeyMove): Long = {
    val version = new MoveKey(session, log)(plan.base, move, plan.report)
    plan.account.foreach(_.keep(move))
    version
  }

  private def commit(plan: AdaptPlan, change: TreeChange): Long = {
    import plan.{base, report}
    val (files, millis) = TaskTime(session.sparkContext)(written(base, change))
    val info = CommitInfo(Operation,
      Map("queries" -> s"${report.queries}", "readShare" -> shown(report.readShare),
        "expectedReadShare" -> shown(report.readShareAfter)),
      Map("rowsRewritten" -> report.rewritten, Rows -> report.rows,
        "rowsGathered" -> change.gathered.iterator.map(base.files.rows).sum) ++
        WriteCost.metrics(millis, plan.sampling))
    val version =
      transaction.commitLayout(base, files, change.files, Seq(TreeAdded(change.after)), info)
    plan.account.foreach(_.keep(change, files, report.writeCost))
    version
  }

  /** The published planner may move cuts, and no row. */
  private def written(base: Snapshot, change: TreeChange): Seq[FileAdded] =
    transaction.rewritten(base, change.files, change.after, LeafWriter.Coalesced, "adapting")
}

object Adapt {

  /** The name of its versions in the history. */
  val Operation: String = "ADAPT"

  /** The metric of such a version: the rows of the table. */
  val Rows: String = "rows"

  private val Tries = 3

  private[colocate] def shown(share: Double): String =
    String.format(Locale.ROOT, "%.3f", Double.box(share))
}
