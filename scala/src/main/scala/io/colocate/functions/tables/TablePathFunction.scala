package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT path FROM colocate_table_path('shop.orders')`: the path of a table, and its newest version. */
private[colocate] object TablePathFunction
    extends ReportFunction("colocate_table_path", Seq("table"),
      "_FUNC_(table) - The path of a Colocate table, given by path or name, and its newest version.",
      new StructType()
        .add("path", StringType, nullable = false)
        .add("version", LongType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    Seq(Seq(log.path.toString, log.latestVersion))
  }
}
