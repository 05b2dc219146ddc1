package io.colocate.tables.sql

import scala.collection.mutable

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.{CatalogStorageFormat, CatalogTable, CatalogTableType}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import io.colocate.report.InternalError
import io.colocate.rule.{PlanRule, RulePart, RuleRunner}
import io.colocate.tables.format.{NotSupported, SchemaMismatch}
import io.colocate.tables.queries.AskedJoin
import io.colocate.tables.scan.{EquiJoins, PinnedFileIndex, PinTable, ReadOnlyParquet, ScanStatistics}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.versions.{RobustFileIndex, TableScan, TimeTravel}

/**
 * Gives each table of a query one version, and each scan the files of that version that its filters
 * need. Runs before cost-based optimisation, which then sees the sizes of the remaining files.
 *
 * {{{
 *   Filter (price > 10)                      Filter (price > 10)
 *   +- Relation Colocate[/t]          =>     +- Relation Colocate[/t, version 7], 3 of 64 files
 * }}}
 *
 * Spark optimises each subquery before the query around it. The rule skips them then, and handles them
 * with the whole query, so that all scans of one table see the same version of it.
 *
 * The filter stays above the scan, so it drops the other rows of these files as it does without pruning.
 * With Colocate switched off all files of the version are read.
 */
final case class PinTables() extends PlanRule[LogicalPlan, LogicalPlan] {

  import PinTables._

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case subquery: Subquery => subquery
    case _ if !TableScan.isIn[RobustFileIndex](plan) => plan
    case _ =>
      val versions = mutable.Map.empty[(Path, Map[String, String]), Snapshot]
      def version(fs: HadoopFsRelation, index: RobustFileIndex) =
        versions.getOrElseUpdate((index.table, TimeTravel.among(fs.options)),
          TimeTravel.snapshot(index.log, fs.options, conf))
      val joins = EquiJoins(plan) {
        case TableScan(_, _, index: RobustFileIndex) => Some(index.table)
        case _ => None
      }
      plan.transformDownWithSubqueries {
        case operation @ PhysicalOperation(columns, filters,
              TableScan(relation, fs, index: RobustFileIndex)) =>
          val asked = Asked(filters, (columns ++ filters).flatMap(_.references.map(_.name)).toSet,
            joins.of(relation))
          val scan = pinned(relation, fs, index, version(fs, index), asked)
          operation.transformUp { case found if found.eq(relation) => scan }
      }
  }

  private def pinned(
      relation: LogicalRelation,
      fs: HadoopFsRelation,
      index: RobustFileIndex,
      snapshot: Snapshot,
      asked: Asked): LogicalRelation = {
    checkName(relation, fs)
    checkSchema(fs, snapshot, index)
    val files = filesFor(relation, index, snapshot, asked)
    val format = new ReadOnlyParquet(index.table, snapshot.version)
    val table = relation.catalogTable.getOrElse(named(index))
    relation.copy(relation = fs.copy(location = files, fileFormat = format)(fs.sparkSession),
      catalogTable = Some(withStatistics(table, files, asked.columns)))
  }

  private def filesFor(
      relation: LogicalRelation,
      index: RobustFileIndex,
      snapshot: Snapshot,
      asked: Asked): PinnedFileIndex =
    RuleRunner.part(RulePart.PruneFiles)(PinTable.whole(index.table, snapshot)) {
      PinTable(index.table, snapshot, asked.filters, relation.output, asked.columns, asked.joins)
    } { error =>
      PinTable.whole(index.table, snapshot, Some(InternalError(RulePart.PruneFiles.name, error)))
    }

  /**
   * [[VersionAsOf]] reads older versions by the table's path. If Spark does not run that rule, a name
   * has one version in a query, even if its mentions ask for several.
   */
  private def checkName(relation: LogicalRelation, fs: HadoopFsRelation): Unit =
    if (relation.catalogTable.nonEmpty && TimeTravel.among(fs.options).nonEmpty)
      throw new NotSupported(
        "An older version by the table's name, in a session of Spark 4.2 with Hive support,",
        "its path, as spark.read.format(\"colocate\").option(\"version\", 3).load(path)")

  /** The columns of a table may have changed since the query was analysed. */
  private def checkSchema(fs: HadoopFsRelation, snapshot: Snapshot, index: RobustFileIndex): Unit =
    fs.dataSchema.find(f => !snapshot.metadata.types.get(f.name).contains(f.dataType)).foreach {
      f =>
        throw new SchemaMismatch(index.table.toString,
          s"the column '${f.name}' of type ${f.dataType.sql} is not there any more, or has another" +
            " type now; load the table again, or run REFRESH TABLE.")
    }

  /** Without cost-based optimisation Spark needs no column statistics, and none are gathered. */
  private def withStatistics(
      table: CatalogTable,
      files: PinnedFileIndex,
      used: Set[String]): CatalogTable = {
    val analyzed = table.stats.map(_.colStats).getOrElse(Map.empty)
    val wanted =
      if (conf.cboEnabled || conf.planStatsEnabled) used else Set.empty[String]
    table.copy(stats = Some(ScanStatistics(files, analyzed, conf.fileCompressionFactor, wanted)))
  }

  /** The catalog entry of a table that is in no catalog. */
  private def named(index: RobustFileIndex): CatalogTable = CatalogTable(
    TableIdentifier(index.table.toString, Some(ColocateSource.ShortName)),
    CatalogTableType.EXTERNAL, CatalogStorageFormat.empty, index.snapshot.schema,
    Some(ColocateSource.ShortName))
}

object PinTables {

  /** What a query asks of a scan. */
  final private case class Asked(
      filters: Seq[Expression],
      columns: Set[String],
      joins: Seq[AskedJoin])
}
