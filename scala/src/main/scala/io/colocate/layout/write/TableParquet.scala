package io.colocate.layout.write

import org.apache.hadoop.mapreduce.Job

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.datasources.OutputWriterFactory
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

/**
 * Spark's Parquet writer, whatever the session says of timestamps: cut to milliseconds, they would
 * not be what statistics and cuts say they are.
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
