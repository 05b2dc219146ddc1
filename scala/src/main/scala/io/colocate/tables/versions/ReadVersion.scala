package io.colocate.tables.versions

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.FileSourceOptions
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.columnar.{InMemoryRelation, InMemoryTableScanExec}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.NotSupported
import io.colocate.tables.scan.PinnedFileIndex
import io.colocate.tables.snapshot.Snapshot

/**
 * The version that a write which replaces rows is based on. Later commits of other writers conflict with
 * the write, so it must not be newer than any version that the new rows are read from:
 *
 * {{{
 *   version 4   the write begins                      based on 4
 *   version 5   another writer appends
 *               the write plans its query, reads 5    still based on 4, and is refused
 *   version 3   was cached, and its rows are written  based on 3
 * }}}
 *
 * An older version that the query requests by number or time does not count, as its rows are wanted as
 * they were: this is how a table is restored.
 */
object ReadVersion {

  /**
   * @param newest the newest version when the write began, before its query was planned
   * @param rows   the optimized plan of the rows
   * @throws NotSupported if the query may skip files of the table that it replaces
   */
  def apply(log: TableLog, newest: Snapshot, rows: LogicalPlan): Snapshot = {
    val own = scans(rows, log.path)
    own.find(ignores).foreach { _ =>
      throw new NotSupported(
        s"Replacing rows of ${log.path} by what is read from it with " +
          s"${FileSourceOptions.IGNORE_MISSING_FILES} or ${FileSourceOptions.IGNORE_CORRUPT_FILES}",
        "both false, so that no row is lost unseen; or another path to write what can be read to")
    }
    val oldest = own.filter(fs => TimeTravel.among(fs.options).isEmpty)
      .collect { case Pinned(snapshot) => snapshot }.minByOption(_.version)
    oldest.filter(_.version < newest.version).getOrElse(newest)
  }

  /** Scans of the table, including those whose rows were cached. */
  private def scans(plan: LogicalPlan, table: Path): Seq[HadoopFsRelation] =
    plan.collectWithSubqueries {
      case TableScan(_, fs, _) => Seq(fs)
      case rows: InMemoryRelation => cached(rows)
    }.flatten.filter(_.location.rootPaths.contains(table))

  private def cached(rows: InMemoryRelation): Seq[HadoopFsRelation] =
    Plans.collectWithSubqueries(rows.cacheBuilder.cachedPlan) {
      case scan: FileSourceScanExec => Seq(scan.relation)
      case inner: InMemoryTableScanExec => cached(inner.relation)
    }.flatten

  private def ignores(fs: HadoopFsRelation): Boolean = {
    val options = new FileSourceOptions(fs.options)
    options.ignoreMissingFiles || options.ignoreCorruptFiles
  }

  private object Plans extends AdaptiveSparkPlanHelper

  private object Pinned {
    def unapply(fs: HadoopFsRelation): Option[Snapshot] = fs.location match {
      case files: PinnedFileIndex => Some(files.snapshot)
      case _ => None
    }
  }
}
