package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf

import io.colocate.tables.operations.WriteOptions

/**
 * A Colocate table that a query names before Spark has looked for it.
 *
 * @param options what opens the table, its path among them
 * @param name    None if the query names it by its path
 */
final private[sql] case class QueriedTable(options: Map[String, String], name: Option[Seq[String]])

private[sql] object QueriedTable {

  /** None for tables of other formats, views and names that are none. */
  def of(session: SparkSession, relation: UnresolvedRelation): Option[QueriedTable] =
    relation match {
      case PathTables.Named(path) if SQLConf.get.runSQLonFile =>
        Some(QueriedTable(Map(WriteOptions.Path -> path), None))
      case _ =>
        CatalogCommands.robust(session, relation.multipartIdentifier).map { table =>
          QueriedTable(CatalogCommands.options(table, table.location),
            Some(table.identifier.nameParts))
        }
    }
}
