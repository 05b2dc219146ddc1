package io.colocate.adapt

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.FileReads
import io.colocate.adapt.ledger.{Ledger, LedgerFiles, LedgerJson}
import io.colocate.adapt.window.Window
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.FileAdded
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * The account of a tree, as it was kept when the tree was last adapted, with what queries have saved
 * since. Without one, as of a table that was not adapted yet, it begins with the layout that is there.
 *
 * @param queries the newest ones
 * @param columns whose bounds are kept of layouts that are gone, by name
 */
final private class Account(
    session: SparkSession,
    log: TableLog,
    base: Snapshot,
    tree: RobustTree,
    present: FileReads,
    queries: Window,
    columns: Set[String])
    extends Logging {

  private val files = new LedgerFiles(log.path, session.sessionState.newHadoopConf(),
    new LedgerJson(base.schema, columns))

  val ledger: Ledger = {
    val kept = files.read(tree.id) match {
      case Right(kept) => kept
      case Left(damaged) =>
        if (damaged)
          logWarning(
            s"The account of what adapting ${log.path} has saved is damaged, and begins anew.")
        Ledger.of(present.layout(tree.leafIds), queries.queries.lastOption.fold(0L)(_.time))
    }
    queries.queries.filter(_.time > kept.until).foldLeft(kept)(_.after(_, tree, present))
  }

  /** Keeps the account of a change that was committed. It is no part of the table, and may be missing. */
  def keep(change: TreeChange, written: Seq[FileAdded], writeCost: Double): Unit =
    try {
      val gone = tree.leafIds.diff(change.after.leafIds)
      val rows = written.filter(_.leaf.nonEmpty).groupMapReduce(_.leaf.get)(_.rows)(_ + _)
      val after = ledger.rewrote(gone, present.layout(gone), rows, writeCost)
      files.write(tree.id, after.copy(until = after.until.max(log.now())))
      files.keep(base.trees.map(_.id).toSet)
    } catch {
      case NonFatal(e) =>
        logWarning(s"No account is kept of what adapting ${log.path} has cost.", e)
    }
}
