package io.colocate.tables.operations

import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, FileAdded, TreeAdded}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, RobustTree}
import io.colocate.tables.write.LeafWriter

/**
 * Merges the small files that appends leave behind: those of one leaf become one file, and files without
 * a leaf are routed by the tree. A leaf that appends have made too large is cut. The rows stay the same,
 * and readers and appends are not disturbed.
 *
 * {{{
 *   leaf 0, 3 small files  leaf 1, 9 files  =>  leaf 0, 1 file     a <= 70
 *                                                                  /     \
 *                                                              leaf 2   leaf 3, a file each
 * }}}
 */
final class Compact(session: SparkSession, log: TableLog) {

  private val transaction = new Transaction(session, log)

  /**
   * @param options options of Spark's Parquet writer; layout options may be repeated
   * @throws InvalidOption for layout options that differ from the table's
   * @return the version; None if there was nothing to merge
   */
  def apply(options: Map[String, String]): Option[Long] =
    transaction.rowsMoving(log.snapshot(), Tries)(on(_, options))

  private def on(base: Snapshot, options: Map[String, String]): Option[Long] = {
    TableOptions.requireSame(options, base.metadata.options, log.path.toString)
    val chosen = base.trees.indices.map(gathered(base, _)).filter(_.files.nonEmpty)
    Option.when(chosen.nonEmpty) {
      val files = chosen.foldLeft(Seq.empty[FileAdded]) { (done, part) =>
        done ++ transaction.orDelete(done)(rewrite(base, part, options))
      }
      val trees = chosen.map(_.tree).filterNot(base.trees.contains).map(TreeAdded(_))
      transaction.commitLayout(base, files, chosen.flatMap(_.files), trees, CommitInfo("COMPACT"))
    }
  }

  private def rewrite(
      base: Snapshot,
      part: Gathered,
      options: Map[String, String]): Seq[FileAdded] =
    transaction.rewritten(base, part.files, part.tree, LeafWriter.Coalesced, "gathering files of",
      WriteOptions.ofParquet(options))

  /** Files without a leaf, small files of leaves that have several of them, and files of leaves to cut. */
  private def gathered(base: Snapshot, place: Int): Gathered = {
    val tree = base.trees(place)
    // A table that moves to another join key has two trees, each by its own, and no copies.
    val layout = TableOptions.of(base.metadata, Some(tree))
    val replica = if (base.metadata.replicated) place else 0
    val files = base.files
    val astray = base.astray(tree)
    val routed = files.indices.filter(i => files.tree(i) == tree.id && files.leaf(i).nonEmpty)
    val leaves = routed.groupBy(files.leaf(_).get)
    val cut = leaves.filter(leaf => tooLarge(base, leaf._2, layout)).map { case (leaf, own) =>
      leaf -> below(base, own, replica, layout)
    }.filterNot(_._2.isInstanceOf[Leaf])
    val small = (leaves -- cut.keys).values
      .map(_.filter(files.bytes(_) < layout.targetFileBytes * FullShare)).filter(_.length > 1)
    val all = astray ++ small.flatten ++ cut.keys.flatMap(leaves)
    Gathered(if (cut.isEmpty) tree else tree.grafted(cut), all.sorted)
  }

  /** A leaf with one file is as its tree was built; later rows are in files of their own. */
  private def tooLarge(base: Snapshot, own: IndexedSeq[Int], layout: TableOptions): Boolean =
    own.length > 1 && layout.timesFull(own.iterator.map(base.files.rows).sum,
      own.iterator.map(base.files.bytes).sum) > TableOptions.TooFull

  private def below(base: Snapshot, own: IndexedSeq[Int], replica: Int, layout: TableOptions) =
    WriteStep(session, log.path, "drawing a sample of a leaf of") {
      TreeGrowth(session, layout, base.schema, log.path)
        .below(transaction.rows(transaction.read(base, own)), replica)
    }

  /** A file of at least this share of the target size is not worth rewriting. */
  private val FullShare = 0.75

  /** Another compaction, or adapting, may have been faster. */
  private val Tries = 3
}

/** Files to rewrite, and the tree that routes their rows then. */
final private case class Gathered(tree: RobustTree, files: IndexedSeq[Int])
