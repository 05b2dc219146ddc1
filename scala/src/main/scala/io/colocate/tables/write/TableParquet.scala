package io.colocate.tables.write

import org.apache.hadoop.mapreduce.Job

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.execution.datasources.OutputWriterFactory
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

/**
 * Spark's Parquet writer, which writes values unchanged regardless of the session's settings: truncated
 * to milliseconds, or moved to another calendar, they would not match statistics and cuts. Values that
 * the session wants moved have been moved by now ([[ReadBack]]).
 */
final private[write] class TableParquet extends ParquetFileFormat {

  override def prepareWrite(
      session: SparkSession,
      job: Job,
      options: Map[String, String],
      schema: StructType): OutputWriterFactory = {
    val factory = super.prepareWrite(session, job, options, schema)
    job.getConfiguration.set(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key, "TIMESTAMP_MICROS")
    factory
  }
}

private[write] object TableParquet {

  /** A setting that tasks read from the session, and not from the job. */
  private val Pinned = SQLConf.PARQUET_REBASE_MODE_IN_WRITE.key -> "CORRECTED"

  /** Runs a write whose tasks see this setting, as they read it from the properties of this thread. */
  def pinned[T](session: classic.SparkSession)(write: => T): T = {
    val context = session.sparkContext
    val (key, value) = Pinned
    val before = context.getLocalProperty(key)
    context.setLocalProperty(key, value)
    try write
    finally context.setLocalProperty(key, before)
  }
}
