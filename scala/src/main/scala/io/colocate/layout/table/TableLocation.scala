package io.colocate.layout.table

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.catalog.CatalogUtils
import org.apache.spark.sql.classic.SparkSession

/** Where a table lies that a user names by its path, or by its name in the catalog. */
object TableLocation {

  /** What holds a slash is a path; names of the catalog do not. */
  def apply(session: SparkSession, table: String): Path =
    if (table.contains("/")) new Path(table)
    else {
      val name = session.sessionState.sqlParser.parseTableIdentifier(table)
      val found = session.sessionState.catalog.getTableMetadata(name)
      new Path(CatalogUtils.URIToString(found.location))
    }
}
