package io.colocate.multiway.model

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, GenericInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.types.{BinaryType, DataType, IntegerType}
import org.apache.spark.unsafe.Platform

/**
 * How a relation is broadcast: in chunks of rows, each column of keys as one block of bytes, and the
 * other needed columns as rows in one block. Rows with a NULL key are dropped, as `=` never holds for
 * them. It names columns by number, so equal relations of a query are broadcast once.
 *
 * Rows that take more memory than allowed are not kept; a marker is sent instead ([[tooLarge]]).
 *
 * @param keys     numbers of the key columns
 * @param payload  numbers of the columns that are only carried
 * @param most     how much memory its rows may take
 */
final case class RelationMode(
    keys: Seq[Int],
    keyTypes: Seq[DataType],
    payload: Seq[Int],
    payloadTypes: Seq[DataType],
    most: MostMemory)
    extends BroadcastMode {

  override def canonicalized: BroadcastMode = this

  override def transform(rows: Array[InternalRow]): Any =
    transform(rows.iterator, Some(rows.length.toLong))

  override def transform(rows: Iterator[InternalRow], sizeHint: Option[Long]): Any = {
    val chunks = ArrayBuffer.empty[InternalRow]
    val writer = new ChunkWriter(this)
    val perRow = BuildMemory.perRow(this)
    var sent, built = 0L
    def fits = sent <= most.sent && built <= most.built
    while (fits && rows.hasNext) {
      writer.add(rows.next())
      if (writer.full || !rows.hasNext) {
        val chunk = writer.take()
        sent += chunk.getSizeInBytes
        built += chunk.getSizeInBytes + perRow * chunk.getInt(0)
        chunks += chunk
      }
    }
    if (fits) chunks.toArray
    else RelationMode.tooLarge(writer, sizeHint)
  }
}

private[multiway] object RelationMode {

  private val TooLarge = -1

  /** True for the marker that replaces rows which take more memory than allowed. */
  def tooLarge(chunks: Array[InternalRow]): Boolean =
    chunks.headOption.exists(_.getInt(0) == TooLarge)

  /** How many rows the marker stands for, if that was known. */
  def rowsOf(tooLarge: Array[InternalRow]): Option[Long] =
    Option.when(tooLarge.length > 1)(tooLarge(1).getInt(0).toLong << Scale)

  private def tooLarge(writer: ChunkWriter, rows: Option[Long]): Array[InternalRow] =
    (writer.sign(TooLarge) +: rows.map(n => writer.sign((n >> Scale).toInt)).toSeq).toArray

  /** The marker gives the number of rows in units of 1024. */
  private val Scale = 10
}

/** Collects rows until they fill a chunk. */
final private class ChunkWriter(mode: RelationMode) {

  private val types = mode.keyTypes.map(KeyType.orThrow).toArray
  private val ordinals = mode.keys.toArray
  private val blocks = Array.fill(types.length)(new Block)
  private val payload = new Block
  private var rows = 0

  private val project =
    if (mode.payload.isEmpty) null
    else
      UnsafeProjection.create(mode.payload.zip(mode.payloadTypes).map { case (i, dataType) =>
        BoundReference(i, dataType, nullable = true)
      })
  private val chunk =
    UnsafeProjection.create(
      Array[DataType](IntegerType) ++ (types.indices :+ 0).map(_ => BinaryType))

  def full: Boolean = rows >= ChunkWriter.Rows || bytes >= ChunkWriter.Bytes

  private def bytes: Int = {
    var sum = payload.size
    var i = 0
    while (i < blocks.length) {
      sum += blocks(i).size
      i += 1
    }
    sum
  }

  private def missesKey(row: InternalRow): Boolean = {
    var i = 0
    while (i < ordinals.length && !row.isNullAt(ordinals(i))) i += 1
    i < ordinals.length
  }

  def add(row: InternalRow): Unit = if (!missesKey(row)) {
    var i = 0
    while (i < types.length) {
      types(i) match {
        case number: NumberKey => blocks(i).putLong(number.get(row, ordinals(i)))
        case text: TextKey =>
          val value = text.get(row, ordinals(i))
          blocks(i).put(value.getBaseObject, value.getBaseOffset, value.numBytes)
      }
      i += 1
    }
    if (project != null) {
      val carried = project(row)
      payload.put(carried.getBaseObject, carried.getBaseOffset, carried.getSizeInBytes)
    }
    rows += 1
  }

  def take(): UnsafeRow = {
    val values = rows +: (blocks :+ payload).map(_.take())
    rows = 0
    chunk(new GenericInternalRow(values.toArray[Any])).copy()
  }

  /** A chunk without rows that carries a number. */
  def sign(number: Int): UnsafeRow = {
    val values = number +: (blocks :+ payload).map(_ => Array.emptyByteArray)
    chunk(new GenericInternalRow(values.toArray[Any])).copy()
  }
}

private object ChunkWriter {
  val Rows = 1 << 16
  val Bytes: Int = 16 << 20
}

/** A growing block of bytes. A value of variable length is preceded by its length. */
final private class Block {
  private var bytes = new Array[Byte](1 << 12)
  private var used = 0

  def size: Int = used

  def putLong(value: Long): Unit = {
    room(8)
    Platform.putLong(bytes, Platform.BYTE_ARRAY_OFFSET.toLong + used, value)
    used += 8
  }

  /** Rows must begin at multiples of 8. */
  def put(base: AnyRef, offset: Long, length: Int): Unit = {
    val padded = (length + 7) / 8 * 8
    room(8 + padded)
    putLong(length)
    Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET.toLong + used, length)
    used += padded
  }

  def take(): Array[Byte] = {
    val taken = java.util.Arrays.copyOf(bytes, used)
    java.util.Arrays.fill(bytes, 0.toByte)
    used = 0
    taken
  }

  private def room(more: Int): Unit = if (used + more > bytes.length)
    bytes = java.util.Arrays.copyOf(bytes, (bytes.length * 2).max(used + more))
}
