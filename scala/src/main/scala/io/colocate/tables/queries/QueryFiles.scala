package io.colocate.tables.queries

import java.io.{BufferedReader, FileNotFoundException, InputStreamReader, IOException, OutputStreamWriter}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Locale, UUID}
import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try, Using}

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.databind.node.ObjectNode

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import io.colocate.tables.format.LogNames

/**
 * Queries that are kept.
 *
 * @param queries the oldest first
 * @param damaged files that could not be read, or were written by a newer release
 */
final case class StoredQueries(queries: Seq[AskedQuery], damaged: Seq[String])

/**
 * The queries of a table in small files beside its log, which never change. Any number of drivers may
 * write some. Spark and a vacuum do not look into the folder, whose name begins with an underscore.
 *
 * No version of the table depends on them: a file that is damaged or gone is passed over.
 */
final class QueryFiles(table: Path, conf: Configuration) {

  import QueryFiles._

  private val folder = new Path(table, Folder)
  private lazy val fs = folder.getFileSystem(conf)

  def read(): StoredQueries = {
    val read = listed().map(file => file -> Try(queries(file.getPath)))
    val damaged = read.collect {
      case (file, Failure(e)) if !e.isInstanceOf[FileNotFoundException] => file.getPath.getName
    }
    StoredQueries(read.collect { case (_, Success(some)) => some }.flatten.sortBy(_.time), damaged)
  }

  /**
   * Writes a file, and removes the oldest ones beyond [[MostFiles]] or [[MostBytes]].
   *
   * @throws java.io.IOException if it may not write
   */
  def write(queries: Seq[AskedQuery]): Unit = if (isTable) {
    val file = new Path(folder,
      s"${"%013d".formatLocal(Locale.ROOT, queries.last.time)}-${UUID.randomUUID}.json.gz")
    Using.resource(new OutputStreamWriter(new GZIPOutputStream(fs.create(file, false)), UTF_8)) {
      out =>
        out.write(s"""{"formatVersion": $FormatVersion}\n""")
        queries.foreach(query => out.write(mapper.writeValueAsString(json(query)) + "\n"))
    }
    removed(beyond(listed()))
  }

  /** A folder must not come back when the table was dropped since its queries ran. */
  private def isTable: Boolean = fs.exists(new Path(table, LogNames.Folder))

  def clear(): Unit = removed(listed())

  /** The oldest first, as their names begin with the time. */
  private def listed(): Seq[FileStatus] =
    try
      fs.listStatus(folder).toSeq.filter(_.getPath.getName.matches(Name)).sortBy(_.getPath.getName)
    catch { case _: FileNotFoundException => Nil }

  private def beyond(files: Seq[FileStatus]): Seq[FileStatus] = {
    val newest = files.reverse
    val bytes = newest.scanLeft(0L)(_ + _.getLen).tail
    newest.zip(bytes).zipWithIndex.collect {
      case ((file, total), i) if i >= MostFiles || i > 0 && total > MostBytes => file
    }
  }

  /** Other drivers may be removing the same ones. */
  private def removed(files: Seq[FileStatus]): Unit =
    files.foreach(file => fs.delete(file.getPath, false))

  private def queries(file: Path): Seq[AskedQuery] =
    Using.resource(new BufferedReader(new InputStreamReader(new GZIPInputStream(fs.open(file)),
      UTF_8))) { in =>
      val lines = in.lines.iterator.asScala
      val version = mapper.readTree(lines.next()).get("formatVersion").intValue
      if (version != FormatVersion) throw new IOException(s"$file has the format $version")
      lines.map(query).toVector
    }
}

object QueryFiles {

  val Folder: String = "_queries"

  val MostFiles: Int = 64
  val MostBytes: Long = 1L << 20

  private val FormatVersion = 1
  private val Name = """\d{13}-[0-9a-f-]{36}\.json\.gz"""
  private val mapper = JsonMapper.builder().build()

  private def json(query: AskedQuery): ObjectNode = {
    val line = mapper.createObjectNode()
    line.put("driver", query.id.driver).put("number", query.id.number).put("time", query.time)
      .put("version", query.version).put("rows", query.rows).put("count", query.count)
    val columns = line.putArray("columns")
    query.columns.toSeq.sorted.foreach(columns.add(_))
    val filters = line.putArray("filters")
    query.predicates.foreach(predicate => filters.add(PredicateJson.write(predicate)))
    if (query.joins.nonEmpty) {
      val joins = line.putArray("joins")
      query.joins.foreach { join =>
        val node = joins.addObject().put("table", join.other)
        val (own, others) = (node.putArray("columns"), node.putArray("otherColumns"))
        join.columns.foreach(own.add(_))
        join.otherColumns.foreach(others.add(_))
      }
    }
    line
  }

  private def query(line: String): AskedQuery = {
    val json = mapper.readTree(line)
    def long(name: String) = json.get(name).longValue
    def names(of: JsonNode, name: String) = of.get(name).elements.asScala.map(_.textValue).toVector
    AskedQuery(long("time"), long("version"),
      json.get("filters").elements.asScala.map(PredicateJson.read).toVector, long("rows"),
      names(json, "columns").toSet, json.get("count").intValue,
      AskedQuery.Id(json.get("driver").textValue, long("number")),
      // Earlier releases did not write them.
      json.path("joins").elements.asScala.map { join =>
        AskedJoin(names(join, "columns"), join.get("table").textValue, names(join, "otherColumns"))
      }.toVector)
  }
}
