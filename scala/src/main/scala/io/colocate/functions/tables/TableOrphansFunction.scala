package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.tables.commit.Vacuum

/** `SELECT * FROM colocate_table_orphans('/data/t', 168)`: what a vacuum would remove. */
private[colocate] object TableOrphansFunction
    extends ReportFunction("colocate_table_orphans", Seq("table", "hours"),
      "_FUNC_(table [, hours]) - The files of a Colocate table that a vacuum with this retention would" +
        " remove (168 hours, if it is left out). Nothing is removed.",
      new StructType()
        .add("path", StringType, nullable = false)
        .add("bytes", LongType, nullable = false)
        .add("modified", TimestampType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val fs = log.path.getFileSystem(session.sessionState.newHadoopConf())
    val retention = arguments.number("hours", least = 0).fold(Vacuum.DefaultRetention)(_ * 3600000L)
    Vacuum(log, fs, retention, dryRun = true, alone = true).orphans.map(orphan =>
      Seq(orphan.path, orphan.bytes, orphan.modified * 1000))
  }
}
