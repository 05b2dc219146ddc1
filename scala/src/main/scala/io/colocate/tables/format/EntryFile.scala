package io.colocate.tables.format

import java.io.{BufferedOutputStream, InputStream, IOException, OutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Locale
import java.util.zip.CRC32

import com.fasterxml.jackson.databind.JsonNode

import io.colocate.tables.format.ActionJson.Types

/**
 * A file of the log: one action per line, the protocol first if there is one, then the commit, and at
 * the end the number of lines and their checksum. Without these, a file that lost its tail would still
 * be readable, and rows would be missing.
 */
private[tables] object EntryFile {

  /** @param types the types of the columns, until an action changes them */
  def write(out: OutputStream, actions: Iterator[Action], types: Types): Unit = {
    val buffered = new BufferedOutputStream(out, 1 << 16)
    val sum = new Sum
    var current = types
    for (action <- actions) {
      current = typesAfter(action, current)
      val line = ActionJson.write(action, current)
      sum.add(line)
      buffered.write(line)
      buffered.write('\n')
    }
    buffered.write(s"""{"end":{"lines":${sum.lines},"crc32":"${sum.text}"}}\n""".getBytes(UTF_8))
    buffered.flush()
  }

  /**
   * Passes every action to `use`, in order. An error in the file may show only at its end, so the
   * results that `use` has gathered are valid only once this returns.
   *
   * @param file    for errors
   * @param version for errors
   */
  def read(
      in: InputStream,
      file: String,
      version: Long,
      types: Types)(use: Action => Unit): Unit = {
    val lines = new LineReader(in)
    val sum = new Sum
    var current = types
    var open = true
    while (open) {
      val (line, json) = readable(file, version) {
        val line = lines.next().getOrElse(
          throw new IllegalArgumentException(s"its end is missing, after ${sum.lines} lines"))
        (line, ActionJson.parse(line))
      }
      if (json.has("end")) {
        readable(file, version)(checkEnd(json, sum, lines))
        open = false
      } else {
        val action = parsed(json, file, version, current)
        sum.add(line)
        current = typesAfter(action, current)
        use(action)
      }
    }
  }

  /** Who wrote the file, without reading the rest of it. */
  def head(in: InputStream, file: String, version: Long): CommitInfo = {
    val lines = new LineReader(in)
    Iterator.continually(readable(file, version)(lines.next())).take(2).flatten
      .map(line =>
        parsed(readable(file, version)(ActionJson.parse(line)), file, version, _ => None))
      .collectFirst { case info: CommitInfo => info }
      .getOrElse(throw new LogDamaged(file, version, "it does not begin with who wrote it"))
  }

  private def parsed(json: JsonNode, file: String, version: Long, types: Types): Action =
    try {
      readable(file, version)(ActionJson.read(json, types)) match {
        case Protocol(format) if format > Protocol.Current.formatVersion =>
          throw new FutureFormat(file, version, format)
        case action => action
      }
    } catch {
      case e: ActionJson.UnknownName => throw new UnknownAction(file, version, e.name)
    }

  private def checkEnd(json: JsonNode, sum: Sum, lines: LineReader): Unit = {
    val end =
      new JsonFields("end", new JsonFields("the last line", json, "end").json("end"), "lines",
        "crc32")
    if (end.long("lines") != sum.lines) {
      throw new IllegalArgumentException(s"it has ${sum.lines} lines, not ${end.long("lines")}")
    }
    if (end.text("crc32") != sum.text) {
      throw new IllegalArgumentException("its checksum differs, so its text was changed")
    }
    if (lines.next().isDefined) throw new IllegalArgumentException("it goes on after its end")
  }

  private def readable[T](file: String, version: Long)(body: => T): T =
    try body
    catch {
      case e @ (_: IOException | _: IllegalArgumentException | _: ArithmeticException) =>
        throw new LogDamaged(file, version, LogDamaged.describe(e), Some(e))
    }

  private def typesAfter(action: Action, types: Types): Types = action match {
    case metadata: Metadata => metadata.types.get
    case _ => types
  }

  final private class Sum {
    private val crc = new CRC32
    var lines: Long = 0

    def add(line: Array[Byte]): Unit = {
      crc.update(line)
      crc.update('\n')
      lines += 1
    }

    def text: String = "%08x".formatLocal(Locale.ROOT, crc.getValue)
  }
}
