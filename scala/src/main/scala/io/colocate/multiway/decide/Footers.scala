package io.colocate.multiway.decide

import java.util.concurrent.{Callable, ExecutionException, Executors}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.parquet.HadoopReadOptions
import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.{ColumnChunkMetaData, ColumnPath, ParquetMetadata}
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.schema.LogicalTypeAnnotation.{DateLogicalTypeAnnotation, IntLogicalTypeAnnotation}
import org.apache.parquet.schema.PrimitiveType

import org.apache.spark.internal.Logging

import io.colocate.facts.estimated.NumberRange

/**
 * Footers of Parquet files, read on the driver, each once for a query, several at a time.
 *
 * A file that cannot be read is unknown: it may be gone, encrypted, or not Parquet at all. Spark reports
 * the error itself when it reads the file.
 *
 * @param most the most footers that may be read for the query, including those that fail
 */
final private[multiway] class Footers(most: Int) {

  private val known = mutable.Map.empty[Path, Option[Footer]]

  /** True if these may be read, or have been. */
  def allowed(files: Seq[FileStatus]): Boolean = {
    val missing = files.iterator.map(_.getPath).filterNot(known.contains)
    // There may be many more files than are allowed.
    missing.distinct.take(most + 1).size + known.size <= most
  }

  def apply(files: Seq[FileStatus], hadoop: => Configuration): Option[Seq[Footer]] =
    if (!allowed(files)) None
    else {
      val missing = files.filterNot(file => known.contains(file.getPath))
      if (missing.nonEmpty) {
        val conf = hadoop
        known ++= missing.map(_.getPath).zip(Footers.each(missing)(Footer.read(_, conf)))
      }
      val found = files.map(file => known(file.getPath))
      Option.when(found.forall(_.nonEmpty))(found.flatten)
    }
}

private[multiway] object Footers extends Logging {

  /** A remote store answers many requests in the time of one. */
  private val Threads = 8

  /** The result of reading each item; None if it fails. */
  def each[A, B](items: Seq[A])(read: A => B): Seq[Option[B]] = {
    def tried(item: A): Option[B] =
      try Some(read(item))
      catch {
        case NonFatal(e) =>
          logDebug(s"Colocate could not look into $item", e)
          None
      }
    if (items.length < 2) items.map(tried) else together(items)(tried)
  }

  /** In threads of their own, which open files in the name of the caller. */
  private def together[A, B](items: Seq[A])(read: A => B): Seq[B] = {
    val threads = Executors.newFixedThreadPool(Threads.min(items.length))
    try {
      val tasks = items.map(item => (() => read(item)): Callable[B])
      threads.invokeAll(tasks.asJava).asScala.map(_.get).toSeq
    } catch {
      case e: ExecutionException => throw e.getCause
    } finally threads.shutdownNow()
  }
}

/** The footer of a file. */
final private[multiway] class Footer(val file: HadoopInputFile, val metadata: ParquetMetadata) {

  private val blocks = metadata.getBlocks.asScala.toSeq

  def rows: Long = blocks.map(_.getRowCount).sum

  /** The column's chunk in each row group; None unless exactly one column has the name. */
  def chunks(name: String, same: (String, String) => Boolean): Option[Seq[ColumnChunkMetaData]] = {
    val fields = metadata.getFileMetaData.getSchema.getFields.asScala
    fields.filter(field => same(field.getName, name)).toSeq match {
      case Seq(field) if field.isPrimitive =>
        val path = ColumnPath.get(field.getName)
        val found = blocks.map(_.getColumns.asScala.find(_.getPath == path))
        Option.when(found.forall(_.nonEmpty))(found.flatten)
      case _ => None
    }
  }
}

private[multiway] object Footer {

  def read(file: FileStatus, hadoop: Configuration): Footer = {
    val input = HadoopInputFile.fromStatus(file, hadoop)
    val reader = ParquetFileReader.open(input, options(input))
    try new Footer(input, reader.getFooter)
    finally reader.close()
  }

  def options(file: HadoopInputFile) =
    HadoopReadOptions.builder(file.getConfiguration, file.getPath).build()

  /** None if the statistics do not have the number. */
  def nulls(chunk: ColumnChunkMetaData): Option[Long] =
    Option(chunk.getStatistics).filter(_.isNumNullsSet).map(_.getNumNulls)

  /** The range of the values of a chunk, if these are whole numbers in their usual order, or dates. */
  def numbers(chunk: ColumnChunkMetaData): Option[NumberRange] =
    nulls(chunk).filter(_ => signed(chunk.getPrimitiveType)).flatMap { nulls =>
      val statistics: Statistics[_] = chunk.getStatistics
      if (nulls == chunk.getValueCount) Some(NumberRange(nulls, None))
      else if (!statistics.hasNonNullValue) None
      else
        (statistics.genericGetMin, statistics.genericGetMax) match {
          case (least: Number, most: Number) =>
            Some(NumberRange(nulls, Some((least.longValue, most.longValue))))
          case _ => None
        }
    }

  private def signed(primitive: PrimitiveType): Boolean = primitive.getLogicalTypeAnnotation match {
    case null | _: DateLogicalTypeAnnotation => true
    case whole: IntLogicalTypeAnnotation => whole.isSigned
    case _ => false
  }
}
