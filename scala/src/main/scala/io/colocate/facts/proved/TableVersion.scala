package io.colocate.facts.proved

import org.apache.spark.sql.execution.datasources.FileIndex

/**
 * A table in one version. Only equality is of interest: equal values stand for the same rows, read in the
 * same way. It says nothing of which of these rows a scan returns.
 */
trait TableVersion extends Serializable

/** A version that the table itself has a name for. */
final case class NamedVersion(table: String, version: String) extends TableVersion

/** Files of a robust table, which has versions. */
trait VersionedFiles {

  /** The version that the files belong to, also if they are only some of its files. */
  def tableVersion: TableVersion

  /** All files of the version that hold a row each once, by Spark's index of files. */
  def whole: FileIndex
}
