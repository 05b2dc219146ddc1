package io.colocate.adapt.window

import java.io.{BufferedReader, InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper
import com.github.luben.zstd.ZstdInputStream
import net.jpountz.lz4.LZ4BlockInputStream
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.xerial.snappy.SnappyInputStream

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types.StructType

import io.colocate.tables.queries.AskedQuery

/**
 * Finds queries in an event log of Spark (`spark.eventLog.enabled`): one file, or the folder of a rolling
 * log. It has the filters of each scan as texts, in the plan with which a query began.
 *
 * @param table its path, as the log names it
 * @param zone  that of the session, for timestamps
 */
final class EventLog(table: Path, schema: StructType, zone: String, conf: Configuration) {

  import EventLog._

  private val filters = new PushedFilters(schema, zone)

  /**
   * The oldest first; conditions that cannot be read from the log's texts are unknown.
   *
   * @throws java.io.IOException if the log cannot be read
   */
  def read(log: Path): Seq[AskedQuery] = {
    val fs = log.getFileSystem(conf)
    val files =
      if (fs.getFileStatus(log).isDirectory)
        fs.listStatus(log).toSeq.map(_.getPath).filter(_.getName.startsWith("events_"))
      else Seq(log)
    val found = files.flatMap(file => Using.resource(opened(file, fs.open(file)))(queries))
    found.sortBy(_._1).zipWithIndex.map { case ((time, predicates), i) =>
      AskedQuery(time, version = -1, predicates, rows = 0, schema.fieldNames.toSet, count = 1,
        AskedQuery.Id(log.toString, i.toLong))
    }
  }

  /** Lines that are no JSON, such as the last one of an application that still runs, are passed over. */
  private def queries(in: InputStream): Seq[(Long, Seq[Expression])] =
    new BufferedReader(new InputStreamReader(in, UTF_8)).lines.iterator.asScala
      .filter(_.contains(Start)).flatMap(line => Try(mapper.readTree(line)).toOption)
      .flatMap(event => scans(event.path("sparkPlanInfo")).map(event.path("time").asLong -> _))
      .toVector

  private def scans(plan: JsonNode): Seq[Seq[Expression]] = {
    val metadata = plan.path("metadata")
    val own =
      if (isOfTable(metadata.path("Location").asText))
        filters.read(metadata.path("PushedFilters").asText).toSeq
      else Nil
    own ++ plan.path("children").elements.asScala.flatMap(scans)
  }

  /** With the brackets, as the path of another table may end in the same way. */
  private def isOfTable(location: String): Boolean =
    location.startsWith("PinnedFileIndex") && location.endsWith(s"[$table]")
}

object EventLog {

  private val Start = "SparkListenerSQLExecutionStart"
  private val mapper = JsonMapper.builder().build()

  /** Spark names a compressed log by its codec. */
  private def opened(file: Path, in: InputStream): InputStream =
    file.getName.stripSuffix(".inprogress").split('.').last match {
      case "zstd" => new ZstdInputStream(in).setContinuous(true)
      case "lz4" => LZ4BlockInputStream.newBuilder().withStopOnEmptyBlock(false).build(in)
      case "snappy" => new SnappyInputStream(in)
      case _ => in
    }
}
