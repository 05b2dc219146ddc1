package io.colocate.advise.layouts

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import io.colocate.facts.proved.VersionedFiles

/** What a layout is of: a table of the catalogue, or files by their paths. */
sealed trait StoredTable

object StoredTable {

  private case class Named(name: TableIdentifier) extends StoredTable
  private case class At(paths: Seq[Path]) extends StoredTable

  /** What a scan reads; None if it cannot lie in buckets. A robust table keeps its rows in a tree. */
  def of(scan: LogicalRelation): Option[StoredTable] = scan.relation match {
    case files: HadoopFsRelation if !files.location.isInstanceOf[VersionedFiles] =>
      Some(scan.catalogTable.fold[StoredTable](At(files.location.rootPaths))(table =>
          Named(table.identifier)))
    case _ => None
  }
}
