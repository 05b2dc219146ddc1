package io.colocate.adapt

import java.util.Locale

import scala.annotation.tailrec

import org.apache.spark.sql.classic.SparkSession

import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, ConcurrentChange, FileAdded, Isolation, TreeAdded}
import io.colocate.tables.operations.{Transaction, WriteStep}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.write.LeafWriter

/**
 * Adapts a table to its queries: subtrees that they read more of than they need are built anew, and the
 * rows below are written into the new leaves. The rows stay the same, and readers and appends are not
 * disturbed.
 *
 * {{{
 *   leaf 0, leaf 1, leaf 2, leaf 3   =>   leaf 0, leaf 1, and leaves 4 and 5 in place of 2 and 3
 * }}}
 *
 * [[AdaptPlanner]] says whether that is worth it.
 */
final class Adapt(session: SparkSession, log: TableLog, options: AdaptOptions) {

  import Adapt._

  private val transaction = new Transaction(session, log)
  private val planner = new AdaptPlanner(session, log, options)

  /** What would be done, without doing it. */
  def planned(): AdaptReport = planner.plan().report

  def apply(): AdaptReport = tried(Tries)

  /** Another writer may have been faster. Its version is read then, and planned again. */
  @tailrec
  private def tried(tries: Int): AdaptReport = {
    val plan = planner.plan()
    val done = plan.change match {
      case None => Some(plan.report)
      case Some(change) =>
        try Some(plan.report.copy(version = Some(commit(plan.base, change, plan.report))))
        catch { case _: ConcurrentChange => None }
    }
    done match {
      case Some(report) => report
      case None if tries == 1 => busy(plan.report)
      case None => tried(tries - 1)
    }
  }

  private def busy(report: AdaptReport): AdaptReport = report.copy(rewritten = 0,
    readShareAfter = report.readShare, price = None, reason = Some(Reason(AdaptReasons.AdaptBusy)))

  private def commit(base: Snapshot, change: TreeChange, report: AdaptReport): Long = {
    val removed = transaction.removed(base, change.files, dataChange = false)
    val info = CommitInfo("ADAPT",
      Map("queries" -> s"${report.queries}", "readShare" -> shown(report.readShare),
        "expectedReadShare" -> shown(report.readShareAfter)),
      Map("rowsRewritten" -> report.rewritten))
    transaction.commit(base.version, base.metadata, written(base, change),
      removed :+ TreeAdded(change.after), info, Isolation.Layout)
  }

  /** The published planner may move cuts, and no row. */
  private def written(base: Snapshot, change: TreeChange): Seq[FileAdded] =
    if (change.files.isEmpty) Nil
    else
      WriteStep(session, log.path, "adapting") {
        LeafWriter(transaction.rows(transaction.read(base, change.files)), log.path, change.after,
          LeafWriter.Coalesced, Map.empty, dataChange = false).files
      }
}

object Adapt {

  private val Tries = 3

  private def shown(share: Double): String = String.format(Locale.ROOT, "%.3f", Double.box(share))
}
