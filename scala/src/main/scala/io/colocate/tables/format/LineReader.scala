package io.colocate.tables.format

import java.io.{ByteArrayOutputStream, InputStream}

/** The lines of a file as bytes, one at a time, as a log entry may be too large for memory. */
final private[tables] class LineReader(in: InputStream) {

  private val buffer = new Array[Byte](1 << 16)
  private var position = 0
  private var end = 0

  /** None at the end of the file, and for an unfinished last line. */
  def next(): Option[Array[Byte]] = {
    val line = new ByteArrayOutputStream
    var found = false
    while (!found && fill()) {
      val from = position
      while (position < end && buffer(position) != '\n') position += 1
      line.write(buffer, from, position - from)
      found = position < end
      if (found) position += 1
    }
    Option.when(found)(line.toByteArray)
  }

  private def fill(): Boolean = {
    if (position == end) {
      position = 0
      end = in.read(buffer).max(0)
    }
    position < end
  }
}
