package io.colocate.claims.declared

import java.util.Locale

import org.apache.spark.sql.execution.datasources.{CatalogFileIndex, FileIndex, HadoopFsRelation, PartitioningAwareFileIndex}
import org.apache.spark.sql.sources.DataSourceRegister

import io.colocate.facts.proved.VersionedFiles

/**
 * What the session's declarations call files: by format and path, with the options that the files are read
 * with, and also by the schema where that is not in the files. Read in another way the same files may have
 * other rows: without `header`, or as numbers in place of texts.
 *
 * {{{
 *   parquet.`file:/data/t`
 *   csv.`file:/data/t` {header=true} a INT,b STRING
 * }}}
 */
private object PathIdentity {

  /** False if the index of the files is not known: it might be that of an older version of a table. */
  def exists(files: HadoopFsRelation): Boolean = format(files).nonEmpty

  def of(files: HadoopFsRelation): String = {
    val named = format(files).getOrElse("")
    val paths = files.location.rootPaths.map(_.toString).sorted.mkString(",")
    val options = files.options.toSeq.filterNot(o => places(o._1.toLowerCase(Locale.ROOT))).sorted
      .map(o => s"${o._1}=${o._2}")
    val read = if (options.isEmpty) "" else options.mkString(" {", ", ", "}")
    val schema = if (describesItself(named)) "" else s" ${files.schema.toDDL}"
    s"$named.`$paths`$read$schema"
  }

  private def format(files: HadoopFsRelation): Option[String] =
    (files.location: FileIndex, files.fileFormat) match {
      case (_: VersionedFiles, _) => Some("colocate")
      case (_: PartitioningAwareFileIndex | _: CatalogFileIndex, named: DataSourceRegister) =>
        Some(named.shortName())
      case _ => None
    }

  private val places = Set("path", "paths", "serialization.format")
  private val describesItself = Set("colocate", "parquet", "orc", "avro")
}
