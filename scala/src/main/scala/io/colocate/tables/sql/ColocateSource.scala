package io.colocate.tables.sql

import java.util.Locale

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging
import org.apache.spark.sql.{AnalysisException, DataFrame, SaveMode, SQLContext}
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.classic.{Dataset, SparkSession}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.streaming.{Sink, Source}
import org.apache.spark.sql.sources._
import org.apache.spark.sql.streaming.OutputMode
import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.rule.ColocateConf
import io.colocate.tables.commit.{TableLog, Vacuum}
import io.colocate.tables.format.{InvalidOption, NotSupported, TableExists}
import io.colocate.tables.operations.{Compact, ReplaceWhere, TableWriter, Transaction, WriteOptions}
import io.colocate.tables.scan.ReadOnlyParquet
import io.colocate.tables.versions.{ReadOptions, ReadVersion, RobustFileIndex, TimeTravel}
import io.colocate.tables.write.RowSource

/**
 * The format `colocate`: robust tables for Spark's readers and writers.
 *
 * {{{
 *   df.write.format("colocate").option("joinKey", "o_orderkey").save(path)
 *   spark.read.format("colocate").option("version", 3).load(path)
 * }}}
 */
final class ColocateSource
    extends DataSourceRegister
    with RelationProvider
    with SchemaRelationProvider
    with CreatableRelationProvider
    with StreamSinkProvider
    with StreamSourceProvider
    with Logging {

  import ColocateSource._

  override def shortName(): String = ShortName

  /** To read. */
  override def createRelation(context: SQLContext, options: Map[String, String]): BaseRelation = {
    ReadOptions.check(options)
    val session = classic(context)
    val index = indexOf(session, options)
    relation(session, index, index.snapshot.schema, options)
  }

  /**
   * To read the columns that the user names, or those that a catalog has. Spark does not say which it
   * is: if they do not fit, [[NewestColumns]] handles either case.
   */
  override def createRelation(
      context: SQLContext,
      options: Map[String, String],
      schema: StructType): BaseRelation = {
    ReadOptions.check(WriteOptions.beside(options))
    val session = classic(context)
    val index = indexOf(session, options)
    AskedColumns(schema, index.snapshot.schema, index.table.toString,
      session.sessionState.conf) match {
      case Right(columns) => relation(session, index, columns, ReadOptions.among(options))
      case Left(misfit) =>
        relation(session, index.refusing(misfit), schema, ReadOptions.among(options))
    }
  }

  private def indexOf(session: SparkSession, options: Map[String, String]): RobustFileIndex = {
    val log = open(session, options)
    val conf = session.sessionState.conf
    new RobustFileIndex(log, () => TimeTravel.snapshot(log, options, conf))
  }

  /** Parquet files under an index of ours, so that Spark's own vectorised reader reads them. */
  private def relation(
      session: SparkSession,
      index: RobustFileIndex,
      columns: StructType,
      options: Map[String, String]): HadoopFsRelation =
    HadoopFsRelation(index, new StructType(), columns, None,
      new ReadOnlyParquet(index.table, index.snapshot.version), options)(session)

  /** [[CarriedTypes]] refuses types that cannot be stored, with a message that names the column. */
  override def supportsDataType(dataType: DataType): Boolean = true

  /** To write. */
  override def createRelation(
      context: SQLContext,
      mode: SaveMode,
      options: Map[String, String],
      data: DataFrame): BaseRelation = {
    refusePartitions(options)
    requireColumns(data.schema)
    WriteOptions.check(options)
    val session = classic(context)
    val log = open(session, options)
    CaseInsensitiveMap(options).get(WriteOptions.Operation) match {
      case Some(operation) =>
        requireNoRows(operation, data)
        maintain(session, log, operation, options)
        // The rows are as they were. For the table itself, Spark would read those again that are cached.
        nothing(context, data)
      case None =>
        write(session, log, mode, options, data)
        written(context, log, data)
    }
  }

  /** Spark asks for the written table. The version is committed by now, so nothing may fail the call. */
  private def written(context: SQLContext, log: TableLog, data: DataFrame): BaseRelation =
    try createRelation(context, Map(WriteOptions.Path -> log.path.toString))
    catch {
      case NonFatal(e) =>
        logWarning(s"${log.path} was written, and cannot be read now.", e)
        nothing(context, data)
    }

  private def nothing(context: SQLContext, data: DataFrame): BaseRelation = new BaseRelation {
    override val sqlContext: SQLContext = context
    override val schema: StructType = data.schema
  }

  override def createSink(
      context: SQLContext,
      options: Map[String, String],
      partitionColumns: Seq[String],
      mode: OutputMode): Sink = {
    if (partitionColumns.nonEmpty) throw partitionsRefused
    refusePartitions(options)
    if (mode != OutputMode.Append())
      throw new NotSupported(s"The output mode $mode of a streaming query", "append")
    WriteOptions.check(options)
    WriteOptions.requireNone(options, WriteOptions.OfBatches, "only where no stream writes")
    val session = classic(context)
    new StreamSink(session, open(session, options), options)
  }

  private def write(
      session: SparkSession,
      log: TableLog,
      mode: SaveMode,
      options: Map[String, String],
      data: DataFrame): Unit = {
    val newest = Option.when(log.exists)(log.snapshot())
    val query = data.asInstanceOf[Dataset[_]].queryExecution
    lazy val rows = RowSource.of(session, query)
    val writer = new TableWriter(session, log)
    val replaced = CaseInsensitiveMap(options).get(WriteOptions.ReplaceWhere)
    if (mode != SaveMode.Overwrite)
      WriteOptions.requireNone(options, Seq(WriteOptions.ReplaceWhere),
        "only with the mode overwrite")
    lazy val replace = new ReplaceWhere(session, log)
    (newest, mode) match {
      case (None, _) => writer.create(replaced.fold(rows)(replace.first(rows, _)), options)
      case (_, SaveMode.ErrorIfExists) => throw new TableExists(log.path.toString)
      case (_, SaveMode.Ignore) => ()
      case (_, SaveMode.Append) => writer.append(rows, options)
      case (Some(there), SaveMode.Overwrite) =>
        val base = ReadVersion(log, there, query.optimizedPlan)
        replaced match {
          case Some(predicate) => replace(base, rows, predicate, options)
          case None => writer.overwrite(base, rows, options)
        }
    }
  }

  private def requireNoRows(operation: String, data: DataFrame): Unit =
    if (!data.isEmpty)
      throw new InvalidOption(WriteOptions.Operation, operation,
        "only for a frame without rows, such as df.limit(0); nothing was written")

  /** An operation without new rows. It comes as a write, because Connect has no other way. */
  private def maintain(
      session: SparkSession,
      log: TableLog,
      operation: String,
      options: Map[String, String]): Unit = operation.trim.toLowerCase(Locale.ROOT) match {
    case "compact" => new Compact(session, log)(options)
    case "vacuum" =>
      val hours = CaseInsensitiveMap(options).get(WriteOptions.RetentionHours)
      val retention = hours.fold(Vacuum.DefaultRetention)(text =>
        Vacuum.retention(text).getOrElse(throw new InvalidOption(WriteOptions.RetentionHours, text,
          Vacuum.AcceptedHours)))
      new Transaction(session, log).vacuum(retention, dryRun = false)
    case _ => throw new InvalidOption(WriteOptions.Operation, operation, "compact, vacuum")
  }

  /** Refuses an empty schema, as Spark's own formats do. */
  private def requireColumns(schema: StructType): Unit =
    if (schema.isEmpty)
      throw new AnalysisException("EMPTY_SCHEMA_NOT_SUPPORTED_FOR_DATASOURCE",
        Map("format" -> ShortName))

  /** Spark passes the columns of partitionBy and clusterBy as options. */
  private def refusePartitions(options: Map[String, String]): Unit = {
    if (options.keys.exists(_.equalsIgnoreCase("__partition_columns"))) throw partitionsRefused
    if (options.keys.exists(_.equalsIgnoreCase("__clustering_columns")))
      throw new NotSupported("clusterBy", LayoutOptions)
  }

  private def partitionsRefused = new NotSupported("partitionBy", LayoutOptions)

  private def LayoutOptions =
    "the options joinKey, columns and weights, which say how the tree cuts"

  override def sourceSchema(
      context: SQLContext,
      schema: Option[StructType],
      provider: String,
      options: Map[String, String]): (String, StructType) = throw streamsRefused

  override def createSource(
      context: SQLContext,
      metadataPath: String,
      schema: Option[StructType],
      provider: String,
      options: Map[String, String]): Source = throw streamsRefused

  private def streamsRefused = new NotSupported("To read a table as a stream",
    "a batch query; colocate.Table(...).history() tells when there is a new version")
}

object ColocateSource {

  val ShortName: String = "colocate"

  /** The log of the table that the option `path` names. */
  def open(session: SparkSession, options: Map[String, String]): TableLog =
    TableLog.open(pathOf(options), session.sessionState.newHadoopConfWithOptions(options),
      ColocateConf.LayoutSingleWriter(session.sessionState.conf))

  private[tables] def classic(context: SQLContext): SparkSession =
    context.sparkSession.asInstanceOf[SparkSession]

  private[tables] def pathOf(options: Map[String, String]): Path =
    CaseInsensitiveMap(options).get(WriteOptions.Path).filter(_.trim.nonEmpty).map(
      new Path(_)).getOrElse(throw new InvalidOption(WriteOptions.Path, "", "the path of a table"))
}
