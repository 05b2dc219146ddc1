package io.colocate.tables.format

import org.apache.hadoop.security.UserGroupInformation

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.tables.tree.RobustTree

/**
 * One line of the log. A version is what is left when the actions of all entries up to it are done.
 */
sealed trait Action

/** How the log is written; a reader that knows less than this must not go on. */
final case class Protocol(formatVersion: Int) extends Action

object Protocol {
  val Current: Protocol = Protocol(1)
}

/**
 * What a table is; the newest one counts.
 *
 * @param options    as the user wrote them: joinKey, weights, maxLeafRows and so on
 * @param treeConfig the name of the construction that trees are built by
 * @param created    when the table was, in milliseconds
 */
final case class Metadata(
    schema: StructType,
    options: Map[String, String],
    treeConfig: String,
    created: Long)
    extends Action {

  /** The types of the columns, by their exact names. */
  lazy val types: Map[String, DataType] = schema.map(f => f.name -> f.dataType).toMap

  /** True where each tree holds a copy of all rows; otherwise the trees share the rows out. */
  def replicated: Boolean = options.get("replicas").flatMap(_.toIntOption).exists(_ > 1)
}

/**
 * A new tree, or what an older tree of the same id looks like from now on. The id of a leaf keeps
 * its meaning as long as the tree lives: a leaf that is gone never comes back as another one.
 */
final case class TreeAdded(tree: RobustTree) extends Action

final case class TreeRemoved(id: Int) extends Action

/**
 * A data file that belongs to the table from now on. Files never change.
 *
 * @param path       below the table's path, with `/` between folders
 * @param leaf       where the tree leads the rows; None for a file that no leaf vouches for, of
 *                   which only its own statistics tell what is in it
 * @param modified   of the file, in milliseconds
 * @param stats      by column; a column that is left out is not known
 * @param dataChange false where the rows were in the table before
 */
final case class FileAdded(
    path: String,
    treeId: Int,
    leaf: Option[Int],
    rows: Long,
    bytes: Long,
    modified: Long,
    stats: Map[String, ColumnStats],
    dataChange: Boolean)
    extends Action

/** @param dataChange false where other files of the same version hold the rows */
final case class FileRemoved(path: String, removed: Long, dataChange: Boolean) extends Action

/** A streaming query has written this batch and all before it. */
final case class StreamBatch(queryId: String, batchId: Long) extends Action

/**
 * From now on files may be gone that only versions before `oldestVersion` need, and files last
 * modified at `cutoff` or before that no version needed.
 */
final case class Vacuumed(oldestVersion: Long, cutoff: Long) extends Action

/**
 * Who wrote a version, when and why.
 *
 * @param time in milliseconds; each version is later than the one before. Set by the log.
 * @param id   tells a writer that an entry is its own, where a failed call leaves that open. Set by
 *             the log.
 */
final case class CommitInfo(
    operation: String,
    parameters: Map[String, String] = Map.empty,
    metrics: Map[String, Long] = Map.empty,
    user: String = CommitInfo.currentUser,
    engine: String = s"colocate, Spark $SPARK_VERSION",
    time: Long = 0,
    id: String = "")
    extends Action

object CommitInfo {
  private lazy val currentUser: String =
    try UserGroupInformation.getCurrentUser.getShortUserName
    catch { case _: java.io.IOException => sys.props.getOrElse("user.name", "") }
}
