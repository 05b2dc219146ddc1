package io.colocate.tables.tree

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

/**
 * Short bounds of long values: the first characters of a text are a lower bound, and the first
 * characters with the last of them raised are an upper bound.
 *
 * A text that is not valid UTF-8 has no bounds: its bytes are not characters, and the log could not
 * store it. There is no upper bound if every character is the greatest one.
 *
 * Both bounds preserve the order: the lower of two values never has the higher bound.
 */
private[tables] object Prefix {

  /** Characters of a text, or bytes, that are kept. */
  val Length: Int = 64

  /** True for a value of at least so many characters or bytes, which may begin a longer value. */
  def mayBeCut(value: Any, length: Int = Length): Boolean = value match {
    case text: UTF8String => text.numChars >= length
    case bytes: Array[Byte] => bytes.length >= length
    case _ => false
  }

  /** A bound that is not above this value; None if there is no such bound. */
  def below(value: Any): Option[Any] = value match {
    case text: UTF8String => below(text)
    case bytes: Array[Byte] => Some(below(bytes))
    case other => Some(other)
  }

  /** A bound that is not below this value; None if there is no such bound. */
  def above(value: Any): Option[Any] = value match {
    case text: UTF8String => above(text)
    case bytes: Array[Byte] => above(bytes)
    case other => Some(other)
  }

  /** The least value above all values that begin with this one; it is no longer than this one. */
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

  /** Raises the last character that can be raised, and drops those after it. */
  private def raised(points: Array[Int]): Option[Array[Int]] = {
    val last = points.lastIndexWhere(_ < Character.MAX_CODE_POINT)
    Option.when(last >= 0) {
      val kept = points.take(last + 1)
      kept(last) = next(kept(last))
      kept
    }
  }

  /** Skips surrogates, which are not characters. */
  private def next(point: Int): Int =
    if (point + 1 == Character.MIN_SURROGATE) Character.MAX_SURROGATE + 1 else point + 1
}
