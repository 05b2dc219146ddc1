package io.colocate.tables.tree

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

/**
 * Short bounds of long values: the first characters are below a text, and the first characters with
 * the last of them raised are above it.
 *
 * Not for a text that is no valid UTF-8: its bytes have no characters, and the log could not hold it.
 * There is nothing above if every character is the greatest one.
 *
 * Both bounds keep the order: of two values the lower one never has the higher bound.
 */
private[tables] object Prefix {

  /** Characters of a text, or bytes, that are kept. */
  val Length: Int = 64

  /** True for a value of so many characters or bytes, which may stand for longer ones that begin with it. */
  def mayBeCut(value: Any, length: Int = Length): Boolean = value match {
    case text: UTF8String => text.numChars >= length
    case bytes: Array[Byte] => bytes.length >= length
    case _ => false
  }

  /** No value that is not below this one is below it; none where there is no such value. */
  def below(value: Any): Option[Any] = value match {
    case text: UTF8String => below(text)
    case bytes: Array[Byte] => Some(below(bytes))
    case other => Some(other)
  }

  /** No value that is not above this one is above it; none where there is no such value. */
  def above(value: Any): Option[Any] = value match {
    case text: UTF8String => above(text)
    case bytes: Array[Byte] => above(bytes)
    case other => Some(other)
  }

  /** A value that is no longer than this one, above all that begin with it and not above any other. */
  def after(value: Any): Option[Any] = value match {
    case text: UTF8String if text.isValid => raisedText(text)
    case bytes: Array[Byte] => raisedBytes(bytes)
    case _ => None
  }

  def below(text: UTF8String): Option[UTF8String] =
    if (!text.isValid) None else Some(text.substring(0, Length).copy())

  def above(text: UTF8String): Option[UTF8String] =
    if (!text.isValid) None
    else if (text.numChars <= Length) Some(text)
    else raisedText(text.substring(0, Length))

  def below(bytes: Array[Byte]): Array[Byte] = bytes.take(Length)

  def above(bytes: Array[Byte]): Option[Array[Byte]] =
    if (bytes.length <= Length) Some(bytes) else raisedBytes(bytes.take(Length))

  private def raisedText(text: UTF8String): Option[UTF8String] =
    raised(text.toString.codePoints.toArray).map { points =>
      UTF8String.fromString(new String(points, 0, points.length))
    }

  private def raisedBytes(bytes: Array[Byte]): Option[Array[Byte]] = {
    val last = bytes.lastIndexWhere(_ != -1)
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
