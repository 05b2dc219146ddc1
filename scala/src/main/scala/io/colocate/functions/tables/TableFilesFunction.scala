package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT * FROM colocate_table_files('/data/t')`: the files of a version. */
private[colocate] object TableFilesFunction
    extends ReportFunction("colocate_table_files", Seq("table", "version"),
      "_FUNC_(table [, version]) - The files of a Colocate table with their leaves, rows and bytes.",
      new StructType()
        .add("path", StringType, nullable = false)
        .add("tree", IntegerType, nullable = false)
        .add("leaf", IntegerType, nullable = true)
        .add("rows", LongType, nullable = false)
        .add("bytes", LongType, nullable = false)
        .add("modified", TimestampType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val files = NamedTable.snapshot(NamedTable.log(session, arguments), arguments).files
    files.indices.map { i =>
      Seq(files.path(i), files.tree(i), files.leaf(i).getOrElse(null), files.rows(i),
        files.bytes(i), files.modified(i) * 1000)
    }
  }
}
