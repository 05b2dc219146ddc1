package io.colocate.explain

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.layout.read.PinTable

/** `SELECT * FROM colocate_table_stats('/data/t')`: how large a version is, the newest by default. */
private[explain] object TableStatsFunction
    extends ReportFunction("colocate_table_stats", Seq("table", "version"),
      "_FUNC_(table[, version]) - The rows of a version of a Colocate table, given by path or name, and" +
        " the files and bytes that hold them. With replicas each row counts once, files and bytes as" +
        " often as there are copies.",
      new StructType()
        .add("version", LongType, nullable = false)
        .add("rows", LongType, nullable = false)
        .add("bytes", LongType, nullable = false)
        .add("files", LongType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val snapshot = NamedTable.snapshot(log, arguments)
    val once = PinTable.whole(log.path, snapshot).rows
    Seq(Seq(snapshot.version, once, snapshot.files.totalBytes, snapshot.files.length.toLong))
  }
}
