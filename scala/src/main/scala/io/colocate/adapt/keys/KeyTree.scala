package io.colocate.adapt.keys

import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.InvalidOption
import io.colocate.tables.operations.{TableOptions, Transaction, TreeGrowth, WriteStep}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * Builds a tree of a table by another join key, from a sample of all its rows. Its upper levels are those of
 * a table that it is joined to, so that each range of the key of one is in few files of the other.
 */
private[adapt] object KeyTree {

  /**
   * @param partners tables that are joined by this key; the cuts of the first one that has some are taken
   * @return Left with what prevents it
   */
  def apply(
      session: SparkSession,
      log: TableLog,
      base: Snapshot,
      key: Seq[String],
      partners: Seq[String]): Either[String, RobustTree] = {
    val tries = partners.map(Some(_)) :+ None
    val trees = tries.to(LazyList).map(cuts => grown(session, log, base, key, cuts))
    trees.collectFirst { case Right(tree) if isCut(tree, key) => Right(tree) }
      .getOrElse(trees.collectFirst { case Left(why) => Left(why) }
          .getOrElse(Left(s"no cut of ${key.mkString(", ")} parts the rows")))
  }

  private def isCut(tree: RobustTree, key: Seq[String]): Boolean =
    tree.columns.exists(key.contains)

  private def grown(
      session: SparkSession,
      log: TableLog,
      base: Snapshot,
      key: Seq[String],
      cuts: Option[String]): Either[String, RobustTree] =
    try
      WriteStep(session, log.path, "drawing a sample of") {
        val transaction = new Transaction(session, log)
        val layout = TableOptions.of(base).withKey(key, cuts)
        val rows = transaction.rows(transaction.read(base, base.files.indices))
        val trees = TreeGrowth(session, layout, base.schema, log.path)(rows, base.freeTreeId)
        Right(trees.head.copy(joinKey = Some(key)))
      }
    catch { case refused: InvalidOption => Left(refused.getMessage) }
}
