package io.colocate.tables.operations

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.CatalogUtils
import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.format.InvalidOption

/** The path of a table that a user names by its path, or by its name in the catalog. */
object TableLocation {

  /** A text with a slash is a path; names in the catalog have none. */
  def apply(session: SparkSession, table: String): Path =
    if (table.contains("/")) new Path(table)
    else {
      val name = identifier(session.sessionState.sqlParser.parseMultipartIdentifier(table), table)
      val found = session.sessionState.catalog.getTableMetadata(name)
      new Path(CatalogUtils.URIToString(found.location))
    }

  /** Colocate tables are in the session's own catalog, which a name may include. */
  private def identifier(parts: Seq[String], table: String): TableIdentifier = parts match {
    case Seq(name) => TableIdentifier(name)
    case Seq(database, name) => TableIdentifier(name, Some(database))
    case Seq(catalog, database, name) if catalog.equalsIgnoreCase("spark_catalog") =>
      TableIdentifier(name, Some(database))
    case _ =>
      throw new InvalidOption("table", table,
        "a path, which holds a slash, or the name of" +
          " a table of the session's catalog")
  }
}
