package io.colocate.tables.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.{Dataset, SparkSession}
import org.apache.spark.sql.execution.streaming.Sink

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.StreamBatch
import io.colocate.tables.operations.TableWriter
import io.colocate.tables.write.RowSource

/**
 * Appends the batches of a streaming query, each exactly once: the version that adds a batch's rows also
 * records the batch, and a recorded batch is skipped.
 */
final class StreamSink(session: SparkSession, log: TableLog, options: Map[String, String])
    extends Sink {

  override def addBatch(batchId: Long, data: DataFrame): Unit = {
    val query = session.sparkContext.getLocalProperty(QueryIdKey)
    val writer = new TableWriter(session, log)
    if (!log.exists) writer.create(data.schema, options)
    if (!log.snapshot().batches.get(query).exists(_ >= batchId)) {
      val rows = RowSource.of(session, data.asInstanceOf[Dataset[_]].queryExecution)
      writer.append(rows, options, Some(StreamBatch(query, batchId)))
    }
  }

  override def toString: String = s"Colocate[${log.path}]"

  /** Spark's name of the property that holds the id of a streaming query on its own thread. */
  private def QueryIdKey = "sql.streaming.queryId"
}
