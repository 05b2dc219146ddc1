package io.colocate.tables.scan

import java.io.FileNotFoundException

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.Job
import org.apache.parquet.hadoop.ParquetInputFormat.HADOOP_VECTORED_IO_ENABLED

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.{FileSourceOptions, InternalRow}
import org.apache.spark.sql.execution.datasources.{OutputWriterFactory, PartitionedFile}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.colocate.tables.format.{DataFileMissing, NotSupported}

/**
 * Spark's Parquet reader, for tables that only we write.
 *
 * In a session without our rules, Spark would write files into the table's folder that belong to no
 * version: their rows would be lost silently. So this format refuses to write.
 *
 * Parquet's dictionaries distinguish 0.0 from -0.0, which are equal in SQL: `x IN (-0.0, 1.0)` skips a
 * file in which x is always 0.0. This happens in files that a tree has cut, so filters that name a zero
 * are left to the operator above the scan.
 *
 * Files on a local disk are not read with vectored I/O, unless the user asks for it: other threads would
 * read the ranges of each file, and waiting for them takes longer than reading a small file. Tables on
 * other file systems are read as Parquet's own settings say.
 *
 * @param table   the folder of the files
 * @param version the version of the table, for errors
 */
final class ReadOnlyParquet(table: Path, version: Long) extends ParquetFileFormat {

  override def buildReaderWithPartitionValues(
      session: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      conf: Configuration): PartitionedFile => Iterator[InternalRow] = {
    if (conf.get(HADOOP_VECTORED_IO_ENABLED) == null && isLocal(conf))
      conf.setBoolean(HADOOP_VECTORED_IO_ENABLED, false)
    val read = super.buildReaderWithPartitionValues(session, dataSchema, partitionSchema,
      requiredSchema, filters.filterNot(namesZero), options, conf)
    // With ignoreMissingFiles Spark itself handles a file that is not found.
    if (new FileSourceOptions(options).ignoreMissingFiles) read
    else ReadOnlyParquet.naming(read, version)
  }

  private def isLocal(conf: Configuration): Boolean =
    table.getFileSystem(conf).getUri.getScheme == "file"

  private def namesZero(part: Any): Boolean = part match {
    case d: Double => d == 0.0
    case f: Float => f == 0.0f
    case values: Array[_] => values.exists(namesZero)
    case filter: Product => filter.productIterator.exists(namesZero)
    case _ => false
  }

  override def prepareWrite(
      session: SparkSession,
      job: Job,
      options: Map[String, String],
      schema: StructType): OutputWriterFactory =
    throw new NotSupported("INSERT INTO a Colocate table in a session without Colocate's extension",
      "a session with spark.sql.extensions=io.colocate.ColocateExtensions")
}

private[tables] object ReadOnlyParquet {

  /** Options for reads that must not lose files which the session lets queries skip. */
  val Strict: Map[String, String] = Map(FileSourceOptions.IGNORE_MISSING_FILES -> "false",
    FileSourceOptions.IGNORE_CORRUPT_FILES -> "false")

  /** A reader whose error names the version that a missing file belongs to. */
  def naming(
      read: PartitionedFile => Iterator[InternalRow],
      version: Long): PartitionedFile => Iterator[InternalRow] = file =>
    try read(file)
    catch {
      case e: FileNotFoundException =>
        throw new DataFileMissing(file.urlEncodedPath, version, Some(e))
    }
}
