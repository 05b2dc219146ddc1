package io.colocate.adapt.window

import java.io.{BufferedReader, IOException, InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper
import com.github.luben.zstd.ZstdInputStream
import net.jpountz.lz4.LZ4BlockInputStream
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.xerial.snappy.SnappyInputStream

/**
 * The events of an event log of Spark (`spark.eventLog.enabled`): one file, the folder of a rolling log, or a
 * folder with several of both, as `spark.eventLog.dir` is.
 */
final class EventLogFiles(conf: Configuration) {
  import EventLogFiles._

  /**
   * Gives each event of these kinds to `see`, of a rolling log from its oldest file on. Lines that are no JSON,
   * such as the last one of an application that still runs, are passed over.
   *
   * @throws java.io.IOException if the log cannot be read, or there is none
   */
  def each(log: Path, kinds: String*)(see: JsonNode => Unit): Unit = {
    val fs = log.getFileSystem(conf)
    val found = files(fs, log)
    if (found.isEmpty) throw new IOException(s"$log holds no event log")
    found.foreach { file =>
      Using.resource(opened(file, fs.open(file))) { in =>
        lines(file, in).filter(line => kinds.exists(line.contains(_)))
          .flatMap(line => Try(mapper.readTree(line)).toOption)
          .filter(event => kinds.exists(event.path("Event").asText.endsWith(_)))
          .foreach(see)
      }
    }
  }

  private def files(fs: FileSystem, log: Path): Seq[Path] =
    if (!fs.getFileStatus(log).isDirectory) Seq(log)
    else {
      val inside = fs.listStatus(log).toSeq.filterNot(_.getPath.getName.startsWith("."))
      val rolled = inside.map(_.getPath).filter(_.getName.startsWith(Rolled))
      if (rolled.nonEmpty) newest(rolled)
      else
        inside.filterNot(_.getPath.getName.startsWith(Status))
          .filter(one => one.isFile || one.getPath.getName.startsWith(Rolling))
          .map(_.getPath).sortBy(_.getName).flatMap(files(fs, _))
    }

  /** A compacted file has what is left of those before it. */
  private def newest(rolled: Seq[Path]): Seq[Path] = {
    val sorted = rolled.sortBy(file => (index(file), !isCompacted(file)))
    val last = sorted.lastIndexWhere(isCompacted)
    val from = if (last < 0) Nil else sorted.slice(last, last + 1)
    from ++ sorted.filter(file => last < 0 || index(file) > index(sorted(last)))
  }

  private def lines(file: Path, in: InputStream): Iterator[String] = {
    val all = new BufferedReader(new InputStreamReader(in, UTF_8)).lines.iterator.asScala.buffered
    if (all.headOption.exists(!_.contains(""""Event":"""))) {
      throw new IOException(s"$file is no event log")
    }
    all
  }
}

private object EventLogFiles {

  private val Rolling = "eventlog_v2_"
  private val Rolled = "events_"
  private val Status = "appstatus_"
  private val Compacted = ".compact"

  private val mapper = JsonMapper.builder().build()

  private def index(file: Path): Long = file.getName.split('_')(1).toLongOption.getOrElse(0L)

  private def isCompacted(file: Path): Boolean = file.getName.endsWith(Compacted)

  /** Spark names a compressed log by its codec. */
  private def opened(file: Path, in: InputStream): InputStream =
    file.getName.stripSuffix(".inprogress").stripSuffix(Compacted).split('.').last match {
      case "zstd" => new ZstdInputStream(in).setContinuous(true)
      case "lz4" => LZ4BlockInputStream.newBuilder().withStopOnEmptyBlock(false).build(in)
      case "snappy" => new SnappyInputStream(in)
      case _ => in
    }
}
