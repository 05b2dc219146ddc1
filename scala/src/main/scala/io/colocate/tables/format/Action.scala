package io.colocate.tables.format

import java.util.concurrent.TimeUnit

import org.apache.hadoop.security.UserGroupInformation

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.tables.tree.RobustTree

/** One line of the log. A version is the result of the actions of all entries up to it. */
sealed trait Action

/** The format of the log; a reader that does not know it must stop. */
final case class Protocol(formatVersion: Int) extends Action

object Protocol {
  val Current: Protocol = Protocol(1)
}

/**
 * The definition of a table; the newest one is valid.
 *
 * @param options    as the user wrote them: joinKey, weights, maxLeafRows and so on
 * @param treeConfig the name of the construction that trees are built by
 * @param created    when the table was created, in milliseconds
 */
final case class Metadata(
    schema: StructType,
    options: Map[String, String],
    treeConfig: String,
    created: Long)
    extends Action {

  /** The types of the columns, by their exact names. */
  lazy val types: Map[String, DataType] = schema.map(f => f.name -> f.dataType).toMap

  /** How long the log keeps a version that is no longer the newest, in milliseconds. */
  def logRetention: Long = TimeUnit.HOURS.toMillis(
    options.get("logRetentionHours").flatMap(_.toLongOption).getOrElse(Metadata.LogRetentionHours))

  /** True if each tree holds a copy of all rows; otherwise the rows are divided among the trees. */
  def replicated: Boolean = options.get("replicas").flatMap(_.toIntOption).exists(_ > 1)
}

object Metadata {

  /** 30 days. */
  val LogRetentionHours: Long = 720
}

/**
 * A new tree, or the new shape of the tree with this id. The id of a leaf keeps its meaning as long as
 * the tree exists: the id of a removed leaf is never reused.
 */
final case class TreeAdded(tree: RobustTree) extends Action

final case class TreeRemoved(id: Int) extends Action

/**
 * A data file that belongs to the table from now on. Files never change.
 *
 * @param path       relative to the table's path, with `/` between folders
 * @param leaf       the leaf that the tree routes the rows to; None if no leaf describes the file, only
 *                   its own statistics
 * @param modified   when the file was last modified, in milliseconds
 * @param stats      statistics by column; a column that is left out is unknown
 * @param dataChange false if the rows were in the table before
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

/** @param dataChange false if other files of the same version hold the rows */
final case class FileRemoved(path: String, removed: Long, dataChange: Boolean) extends Action

/** A streaming query has written this batch and all before it. */
final case class StreamBatch(queryId: String, batchId: Long) extends Action

/**
 * The rows of the table are those of a query: the table is a maintained view. The newest one is valid.
 *
 * @param query    SQL
 * @param policy   what a refresh may do
 * @param settings those of the session by which the query means the same later
 * @param plan     a digest of the query's plan, which changes if a view or a column below it does
 * @param sources  the versions that the rows stand for, by the source's path
 */
final case class Maintained(
    query: String,
    policy: String,
    settings: Map[String, String],
    plan: String,
    sources: Map[String, SourceVersion])
    extends Action

/**
 * What of a source a maintained view stands for.
 *
 * @param id      of the table, as another one may have its path later; of other files, a digest of them
 * @param version of the table; 0 for other files
 */
final case class SourceVersion(id: String, version: Long)

/**
 * From now on, files may be gone that only versions before `oldestVersion` need, and files that no
 * version needed and that were last modified at `cutoff` or before.
 */
final case class Vacuumed(oldestVersion: Long, cutoff: Long) extends Action

/**
 * Who wrote a version, when and why.
 *
 * @param time in milliseconds; each version is later than the one before. Set by the log.
 * @param id   lets a writer recognise its own entry after a call that failed. Set by the log.
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
