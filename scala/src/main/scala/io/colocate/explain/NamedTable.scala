package io.colocate.explain

import org.apache.spark.sql.classic.SparkSession

import io.colocate.ColocateConf
import io.colocate.layout.log.{Snapshot, TableLog}
import io.colocate.layout.table.TableLocation

/** A table that a user names by its path, or by its name in the catalog. */
private[explain] object NamedTable {

  def log(session: SparkSession, arguments: Arguments): TableLog = {
    val given_ = arguments.required("table", "the path or the name of a table")
    TableLog.open(TableLocation(session, given_), session.sessionState.newHadoopConf(),
      ColocateConf.LayoutSingleWriter(session.sessionState.conf))
  }

  def snapshot(log: TableLog, arguments: Arguments): Snapshot =
    arguments.number("version", least = 0).fold(log.snapshot())(version =>
      log.snapshot(version.toLong))
}
