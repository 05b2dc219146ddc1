package io.colocate.tables.versions

import java.util.Locale

import io.colocate.tables.format.InvalidOption
import io.colocate.tables.operations.WriteOptions

/**
 * Options of a read. Options by which Spark's file readers choose files, such as `pathGlobFilter`, have
 * no meaning for a table, whose log says which files a version has.
 */
object ReadOptions {

  /** Spark's own, for its Parquet reader. */
  private val Parquet = Seq("ignoreMissingFiles", "ignoreCorruptFiles")

  private val names = Seq(WriteOptions.Path, TimeTravel.Version, TimeTravel.Timestamp) ++ Parquet

  private val known = names.map(_.toLowerCase(Locale.ROOT)).toSet

  /**
   * A misspelled option must not go unnoticed.
   *
   * @throws InvalidOption for a name that is not known
   */
  def check(options: Map[String, String]): Unit =
    options.keys.filterNot(ofReads).foreach(key =>
      throw new InvalidOption(key, options(key),
        s"for a read, options named ${names.mkString(", ")}"))

  /** The options of a read among these: a table of the catalog has layout options too. */
  def among(options: Map[String, String]): Map[String, String] =
    options.filter { case (key, _) => ofReads(key) }

  private def ofReads(key: String): Boolean =
    key.contains(".") || known(key.toLowerCase(Locale.ROOT))
}
