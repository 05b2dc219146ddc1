package io.colocate.tables.operations

import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import io.colocate.tables.format.InvalidOption

/** Options of one write, beside those that describe the layout ([[TableOptions]]). */
object WriteOptions {

  val Path: String = "path"
  val MergeSchema: String = "mergeSchema"
  val ReplaceWhere: String = "replaceWhere"
  val Operation: String = "operation"
  val RetentionHours: String = "retentionHours"

  /** Options of a write that does more than add rows. */
  val OfBatches: Seq[String] = Seq(ReplaceWhere, Operation, RetentionHours)

  /** Spark's own, for its Parquet writer. */
  private val Parquet = Seq("compression", "maxRecordsPerFile")

  /** Spark's own, for streaming queries. */
  private val Streaming = Seq("checkpointLocation")

  private val names = TableOptions.names ++
    Seq(Path, MergeSchema) ++ OfBatches ++ Parquet ++ Streaming

  def mergeSchema(options: Map[String, String]): Boolean =
    CaseInsensitiveMap(options).get(MergeSchema).exists(text =>
      text.trim.toBooleanOption.getOrElse(throw new InvalidOption(MergeSchema, text,
        "true or false")))

  /** What Spark's Parquet writer takes. */
  def ofParquet(options: Map[String, String]): Map[String, String] = options.filter {
    case (key, _) => key.contains(".") || Parquet.exists(_.equalsIgnoreCase(key))
  }

  /** True for an option of a write or of the layout. */
  def isKnown(name: String): Boolean = names.exists(_.equalsIgnoreCase(name))

  /** The options that are not options of a write. */
  def beside(options: Map[String, String]): Map[String, String] =
    options.filterNot { case (key, _) => isKnown(key) }

  /**
   * A misspelled option must not go unnoticed.
   *
   * @throws InvalidOption for a name that is not known
   */
  def check(options: Map[String, String]): Unit = {
    options.keys
      .filterNot(key => key.contains(".") || isKnown(key))
      .foreach(key =>
        throw new InvalidOption(key, options(key), s"options named ${names.mkString(", ")}"))
  }

  /** @throws InvalidOption if one of these options is given */
  def requireNone(options: Map[String, String], names: Seq[String], accepted: String): Unit =
    for (name <- names; value <- CaseInsensitiveMap(options).get(name))
      throw new InvalidOption(name, value, accepted)
}
