package io.colocate.explain

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.catalog.CatalogUtils
import org.apache.spark.sql.classic.SparkSession

import io.colocate.ColocateConf
import io.colocate.layout.log.{Snapshot, TableLog}

/** A table that a user names by its path, or by its name in the catalog. */
private[explain] object NamedTable {

  def log(session: SparkSession, arguments: Arguments): TableLog = {
    val given_ = arguments.required("table", "the path or the name of a table")
    val path = if (given_.contains("/")) new Path(given_) else location(session, given_)
    TableLog.open(path, session.sessionState.newHadoopConf(),
      ColocateConf.LayoutSingleWriter(session.sessionState.conf))
  }

  def snapshot(log: TableLog, arguments: Arguments): Snapshot =
    arguments.number("version", least = 0).fold(log.snapshot())(version =>
      log.snapshot(version.toLong))

  private def location(session: SparkSession, name: String): Path = {
    val identifier = session.sessionState.sqlParser.parseTableIdentifier(name)
    val table = session.sessionState.catalog.getTableMetadata(identifier)
    new Path(CatalogUtils.URIToString(table.location))
  }
}
