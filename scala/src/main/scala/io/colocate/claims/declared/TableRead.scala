package io.colocate.claims.declared

import org.apache.spark.sql.catalyst.catalog.{CatalogTable, HiveTableRelation}
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.connector.catalog.constraints.Constraint
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, DataSourceV2ScanRelation}

import io.colocate.facts.proved.{NamedVersion, TableVersion, VersionedFiles}
import io.colocate.rule.Declarations

/**
 * A table or files, as a leaf of a logical plan reads them.
 *
 * @param output      the columns
 * @param property    the text in which the table keeps its declarations
 * @param constraints those of the table's definition
 * @param catalogued  the table's name, if a catalog knows it and keeps its properties
 */
final class TableRead private (
    val output: Seq[Attribute],
    val property: Option[String],
    val constraints: Seq[Constraint],
    val catalogued: Option[Seq[String]],
    named: => String,
    identified: => String,
    of: => Option[TableVersion]) {

  /** For a reader of explain(). */
  lazy val name: String = named

  /** What the session's declarations call it. */
  lazy val identity: String = identified

  /** None if it is not known. */
  lazy val version: Option[TableVersion] = of
}

object TableRead {

  /**
   * None if a leaf reads no table, or an older version of one: what is declared for a table need not have
   * been true of its rows before.
   */
  def of(leaf: LogicalPlan): Option[TableRead] = leaf match {
    case relation: LogicalRelation if !relation.isStreaming => ofRelation(relation)
    case hive: HiveTableRelation => Some(ofCatalogue(hive.tableMeta, hive.output))
    // What is pushed down to the source, such as a grouping, gives the scan columns of its own.
    case scan: DataSourceV2ScanRelation
        if scan.output.forall(scan.relation.outputSet.contains(_)) =>
      ofTable(scan.relation)
    case relation: DataSourceV2Relation => ofTable(relation)
    case _ => None
  }

  private def ofRelation(relation: LogicalRelation): Option[TableRead] = relation.relation match {
    case files: HadoopFsRelation =>
      Option.when(PathIdentity.exists(files) && !asksForVersion(files.options)) {
        val entry = relation.catalogTable.filter(isInCatalogue)
        lazy val path = PathIdentity.of(files)
        new TableRead(relation.output, entry.flatMap(propertyOf), Nil, entry.map(nameOf),
          entry.fold(path)(_.qualifiedName), path, versionOf(files))
      }
    case _ => relation.catalogTable.map(ofCatalogue(_, relation.output))
  }

  private def ofCatalogue(table: CatalogTable, output: Seq[Attribute]): TableRead =
    new TableRead(output, propertyOf(table), Nil, Some(nameOf(table)), table.qualifiedName,
      table.qualifiedName, None)

  private def nameOf(table: CatalogTable): Seq[String] = table.identifier.nameParts

  private def propertyOf(table: CatalogTable) = table.properties.get(Declarations.Property)

  /** A robust table that is read by its path gets an entry as of a catalogue. */
  private def isInCatalogue(table: CatalogTable): Boolean = !table.identifier.table.contains("/")

  private def asksForVersion(options: Map[String, String]): Boolean = {
    val given_ = CaseInsensitiveMap(options)
    Seq("version", "timestamp", "versionAsOf", "timestampAsOf").exists(given_.contains)
  }

  private def versionOf(files: HadoopFsRelation): Option[TableVersion] = files.location match {
    case versioned: VersionedFiles => Some(versioned.tableVersion)
    case _ => FilesVersion.of(files)
  }

  /** Options may ask for a version, each source in its own words. */
  private def ofTable(relation: DataSourceV2Relation): Option[TableRead] =
    Option.when(relation.timeTravelSpec.isEmpty && relation.options.isEmpty) {
      val table = relation.table
      def name = (relation.catalog.map(_.name) ++ relation.identifier.map(_.toString)).mkString(".")
      def named = if (relation.identifier.isEmpty) table.name else name
      new TableRead(relation.output, Option(table.properties.get(Declarations.Property)),
        table.constraints.toSeq,
        for (catalog <- relation.catalog; id <- relation.identifier)
          yield catalog.name +: id.namespace.toSeq :+ id.name, named, named,
        for (id <- Option(table.id); version <- Option(table.version))
          yield NamedVersion(s"$named $id", version))
    }
}
