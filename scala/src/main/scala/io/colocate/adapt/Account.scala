package io.colocate.adapt

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.FileReads
import io.colocate.adapt.keys.KeyMove
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
 * @param joined  the rows that joins have read less since a time, as the table has another join key now
 */
final private class Account(
    session: SparkSession,
    log: TableLog,
    base: Snapshot,
    tree: RobustTree,
    present: FileReads,
    queries: Window,
    columns: Set[String],
    joined: Long => Double)
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
    val filtered =
      queries.queries.filter(_.time > kept.until).foldLeft(kept)(_.after(_, tree, present))
    filtered.copy(saved = filtered.saved + joined(kept.until))
  }

  /** Keeps the account of a change that was committed. It is no part of the table, and may be missing. */
  def keep(change: TreeChange, written: Seq[FileAdded], writeCost: Double): Unit =
    kept(tree.id) {
      val gone = tree.leafIds.diff(change.after.leafIds)
      val rows = written.filter(_.leaf.nonEmpty).groupMapReduce(_.leaf.get)(_.rows)(_ + _)
      ledger.rewrote(gone, present.layout(gone), rows, writeCost)
    }

  /**
   * The same of rows that have moved to another tree, whose account goes on from here. What leaves of the
   * older tree still owe is forgotten with them.
   */
  def keep(move: KeyMove): Unit = kept(move.to.id) {
    val rows = move.files.iterator.map(base.files.rows).sum
    ledger.copy(rewritten = ledger.rewritten + rows,
      rewrites = if (move.begins) Nil else ledger.rewrites)
  }

  private def kept(id: Int)(after: => Ledger): Unit =
    try {
      val ledger = after
      files.write(id, ledger.copy(until = ledger.until.max(log.now())))
      files.keep(base.trees.map(_.id).toSet + id)
    } catch {
      case NonFatal(e) =>
        logWarning(s"No account is kept of what adapting ${log.path} has cost.", e)
    }
}
