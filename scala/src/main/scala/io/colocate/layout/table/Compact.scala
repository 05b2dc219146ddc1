package io.colocate.layout.table

import org.apache.spark.sql.classic.SparkSession

import io.colocate.layout.log._
import io.colocate.layout.tree.RobustTree
import io.colocate.layout.write.LeafWriter

/**
 * Gathers the small files that appends leave behind: those of one leaf become one file, and rows that
 * no leaf vouches for go where the tree leads them. The rows stay the same, and readers and appends
 * are not disturbed.
 */
final class Compact(session: SparkSession, log: TableLog) {

  private val transaction = new Transaction(session, log)

  /**
   * @param options of Spark's Parquet writer; those of the layout may be told again
   * @throws InvalidOption for a layout that is not the table's
   * @return the version; none where there was nothing to gather
   */
  def apply(options: Map[String, String]): Option[Long] = {
    val base = log.snapshot()
    TableOptions.requireSame(options, base.metadata.options, log.path.toString)
    val target = TableOptions.parse(base.metadata.options).targetFileBytes
    val chosen = base.trees.map(tree => tree -> gathered(base, tree, target)).filter(_._2.nonEmpty)
    Option.when(chosen.nonEmpty) {
      val files = chosen.foldLeft(Seq.empty[FileAdded]) { case (done, (tree, old)) =>
        done ++ transaction.orDelete(done)(rewrite(base, tree, old, options))
      }
      val removed = transaction.removed(base, chosen.flatMap(_._2), dataChange = false)
      transaction.commit(base.version, base.metadata, files, removed, CommitInfo("COMPACT"),
        Isolation.Layout)
    }
  }

  private def rewrite(
      base: Snapshot,
      tree: RobustTree,
      old: IndexedSeq[Int],
      options: Map[String, String]): Seq[FileAdded] =
    Step(session, log.path, "gathering files of") {
      LeafWriter(transaction.rows(transaction.read(base, old)), log.path, tree,
        LeafWriter.Coalesced, WriteOptions.ofParquet(options), dataChange = false)
    }

  /** Files without a leaf, and those of leaves that have more than one which is far from full. */
  private def gathered(base: Snapshot, tree: RobustTree, target: Long): IndexedSeq[Int] = {
    val files = base.files
    val own = files.indices.filter(belongs(base, tree, _))
    val (routed, astray) = own.partition(files.leaf(_).nonEmpty)
    val small = routed.filter(files.bytes(_) < target * FullShare).groupBy(files.leaf(_)).values
      .filter(_.length > 1).flatten
    (astray ++ small).sorted
  }

  /** Files whose tree is gone are led by the newest one, unless trees are copies. */
  private def belongs(base: Snapshot, tree: RobustTree, file: Int): Boolean = {
    val id = base.files.tree(file)
    id == tree.id ||
    !base.metadata.replicated && base.tree(id).isEmpty && tree.id == base.trees.map(_.id).max
  }

  /** A file of this part of the target size is not worth rewriting. */
  private val FullShare = 0.75
}
