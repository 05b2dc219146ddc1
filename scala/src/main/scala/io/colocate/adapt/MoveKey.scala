package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.WriteCost
import io.colocate.adapt.keys.KeyMove
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, FileAdded, TreeAdded, TreeRemoved}
import io.colocate.tables.operations.Transaction
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.write.{LeafWriter, TaskTime}

/**
 * Moves rows of a table to a tree by another join key, in one version.
 *
 * Appends that have read the table before go to the older tree, which may be gone then: their files are
 * read by their own statistics, and the next adapt or compaction routes their rows.
 */
final private class MoveKey(session: SparkSession, log: TableLog) {

  private val transaction = new Transaction(session, log)

  def apply(base: Snapshot, move: KeyMove, report: AdaptReport): Long = {
    val (files, millis) = TaskTime(session.sparkContext)(written(base, move))
    val key = report.joinKey.getOrElse(Nil).mkString(", ")
    val parameters = Map("joinKey" -> key) ++
      Option.when(report.joins > 0)("joins" -> s"${report.joins} of ${report.queries}")
    val metrics = Map("rowsRewritten" -> report.rewritten, Adapt.Rows -> report.rows) ++
      WriteCost.metrics(millis, read = None)
    val older = base.trees.filter(tree => move.ends && tree.id != move.to.id)
    val trees = Option.when(move.begins)(TreeAdded(move.to)) ++
      older.map(tree => TreeRemoved(tree.id))
    transaction.commitLayout(base, files, move.files, trees.toSeq,
      CommitInfo(Adapt.Operation, parameters, metrics))
  }

  private def written(base: Snapshot, move: KeyMove): Seq[FileAdded] = {
    val tasks = if (move.begins && move.ends) LeafWriter.PerLeaf else LeafWriter.Coalesced
    transaction.rewritten(base, move.files, move.to, tasks, "moving to another join key rows of")
  }
}
