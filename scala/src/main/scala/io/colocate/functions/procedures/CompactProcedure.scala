package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.{Compact, WriteOptions}

/** `CALL colocate.compact('/data/t')` */
private[procedures] object CompactProcedure
    extends Procedure("compact",
      Seq(NamedTable.Argument,
        Parameter("options", MapType(StringType, StringType), Some("NULL"),
          "those of a write, such as compression")),
      "Gathers the small files that appends to a Colocate table leave, and cuts leaves that grew. The rows stay" +
        " the same. The version is NULL if there is nothing to do.",
      new StructType()
        .add("version", LongType, nullable = true)
        .add("files_removed", LongType, nullable = false)
        .add("files_added", LongType, nullable = false)
        .add("rows", LongType, nullable = false)
        .add("bytes", LongType, nullable = false)) {

  private val Metrics = Seq("filesRemoved", "filesAdded", "rowsAdded", "bytesAdded")

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val options =
      arguments.map("options", "a map of texts, such as map('compression', 'zstd')")
    WriteOptions.check(options)
    WriteOptions.requireNone(options, WriteOptions.OfBatches, "only where rows are written")
    val version = new Compact(session, log)(options)
    val metrics = version.fold(Map.empty[String, Long])(written(log, _))
    Seq(version.map(Long.box).orNull +: Metrics.map(metrics.getOrElse(_, 0L)))
  }

  private def written(log: TableLog, version: Long): Map[String, Long] =
    log.backFrom(version).nextOption().fold(Map.empty[String, Long])(_.info.metrics)
}
