package io.colocate.report

/**
 * The shuffles of a plan; a shuffle that is used several times counts once.
 *
 * @param bytes estimated bytes that they move
 */
final case class Shuffles(count: Int, bytes: Double) {

  def +(other: Shuffles): Shuffles = Shuffles(count + other.count, bytes + other.bytes)

  def text: String = s"$count shuffles, ${Bytes.text(bytes)}"
}

object Shuffles {
  val None: Shuffles = Shuffles(0, 0)
}
