package io.colocate.adapt.window

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types.StructType

import io.colocate.tables.queries.AskedQuery

/**
 * Finds queries of a table in an event log of Spark. It has the filters of each scan as texts, in the plan
 * with which a query began.
 *
 * @param table its path, as the log names it
 * @param zone  that of the session, for timestamps
 */
final class EventLog(table: Path, schema: StructType, zone: String, conf: Configuration) {

  private val filters = new PushedFilters(schema, zone)

  /**
   * The oldest first; conditions that cannot be read from the log's texts are unknown.
   *
   * @throws java.io.IOException if the log cannot be read
   */
  def read(log: Path): Seq[AskedQuery] = {
    val found = Seq.newBuilder[(Long, Seq[Expression])]
    new EventLogFiles(conf).each(log, "SparkListenerSQLExecutionStart")(found ++= queries(_))
    found.result().sortBy(_._1).zipWithIndex.map { case ((time, predicates), i) =>
      AskedQuery(time, version = -1, predicates, rows = 0, schema.fieldNames.toSet, count = 1,
        AskedQuery.Id(log.toString, i.toLong))
    }
  }

  private def queries(event: JsonNode): Seq[(Long, Seq[Expression])] =
    scans(event.path("sparkPlanInfo")).map(event.path("time").asLong -> _)

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
