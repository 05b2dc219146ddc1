package io.colocate.layout.write

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

/**
 * Short bounds of long values: the first characters are below a text, and the first characters with
 * the last of them raised are above it.
 *
 * Not for a text that is no valid UTF-8: its bytes have no characters, and the log could not hold it.
 * There is nothing above if every character is the greatest one.
 */
private[write] object Prefix {

  /** Characters of a text, or bytes, that are kept. */
  val Length: Int = 64

  def below(text: UTF8String): Option[UTF8String] =
    if (!text.isValid) None else Some(text.substring(0, Length).copy())

  def above(text: UTF8String): Option[UTF8String] =
    if (!text.isValid) None
    else if (text.numChars <= Length) Some(text)
    else
      raised(text.substring(0, Length).toString.codePoints.toArray).map { points =>
        UTF8String.fromString(new String(points, 0, points.length))
      }

  def below(bytes: Array[Byte]): Array[Byte] = bytes.take(Length)

  def above(bytes: Array[Byte]): Option[Array[Byte]] =
    if (bytes.length <= Length) Some(bytes)
    else {
      val last = bytes.lastIndexWhere(_ != -1, Length - 1)
      Option.when(last >= 0) {
        val kept = Arrays.copyOf(bytes, last + 1)
        kept(last) = (kept(last) + 1).toByte
        kept
      }
    }

  /** The last character that can be raised is, and what follows it goes. */
  private def raised(points: Array[Int]): Option[Array[Int]] = {
    val last = points.lastIndexWhere(_ < Character.MAX_CODE_POINT)
    Option.when(last >= 0) {
      val kept = points.take(last + 1)
      kept(last) = next(kept(last))
      kept
    }
  }

  /** Surrogates are no characters. */
  private def next(point: Int): Int =
    if (point + 1 == Character.MIN_SURROGATE) Character.MAX_SURROGATE + 1 else point + 1
}
