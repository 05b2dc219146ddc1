package io.colocate.multiway.model

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** A relation as [[RelationMode]] broadcast it. Only numbers are copied. */
final private[multiway] class EncodedRelation(
    private[multiway] val chunks: Array[InternalRow],
    private[multiway] val mode: RelationMode) {

  private val counts = chunks.map(_.getInt(0))

  val rows: Int = Math.toIntExact(counts.map(_.toLong).sum)

  /** The bytes of the rows as received. */
  def bytes: Long = chunks.map(_.asInstanceOf[UnsafeRow].getSizeInBytes.toLong).sum

  def numbers(key: Int): Array[Long] = {
    val out = new Array[Long](rows)
    var at = 0
    var chunk = 0
    while (chunk < chunks.length) {
      val block = this.block(chunk, key)
      Platform.copyMemory(block.getBaseObject, block.getBaseOffset, out,
        Platform.LONG_ARRAY_OFFSET + 8L * at, 8L * counts(chunk))
      at += counts(chunk)
      chunk += 1
    }
    out
  }

  def texts(key: Int): Array[UTF8String] = {
    val out = new Array[UTF8String](rows)
    walk(key) { (row, base, offset, length) =>
      out(row) = UTF8String.fromAddress(base, offset, length)
    }
    out
  }

  def payload: Payload = {
    val (bases, offsets, lengths) =
      (new Array[AnyRef](rows), new Array[Long](rows), new Array[Int](rows))
    walk(mode.keys.length) { (row, base, offset, length) =>
      bases(row) = base
      offsets(row) = offset
      lengths(row) = length
    }
    new Payload(bases, offsets, lengths, mode.payload.length)
  }

  /** As a text the block can be read in place; as bytes it would be copied. */
  private def block(chunk: Int, column: Int): UTF8String = chunks(chunk).getUTF8String(column + 1)

  private def walk(column: Int)(visit: (Int, AnyRef, Long, Int) => Unit): Unit = {
    var row = 0
    for (chunk <- chunks.indices) {
      val block = this.block(chunk, column)
      var offset = block.getBaseOffset
      for (_ <- 0 until counts(chunk)) {
        val length = Platform.getLong(block.getBaseObject, offset).toInt
        visit(row, block.getBaseObject, offset + 8, length)
        offset += 8 + (length + 7) / 8 * 8
        row += 1
      }
    }
  }
}

/** The carried columns of each row, by their place in memory. */
final private[multiway] class Payload(
    private val bases: Array[AnyRef],
    private val offsets: Array[Long],
    private val lengths: Array[Int],
    columns: Int) {

  /** These rows, then those. */
  def ++(more: Payload): Payload =
    new Payload(bases ++ more.bases, offsets ++ more.offsets, lengths ++ more.lengths, columns)

  def newRow: UnsafeRow = new UnsafeRow(columns)

  def point(row: UnsafeRow, number: Int): Unit =
    row.pointTo(bases(number), offsets(number), lengths(number))

  def bytes: Long = 20L * offsets.length
}
