package io.colocate.multiway.decide

import java.util.Arrays
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.parquet.column.{ColumnDescriptor, Dictionary}
import org.apache.parquet.column.page.DictionaryPageReadStore
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData}
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName

import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.unsafe.Platform

/**
 * The number of distinct values of a column in Parquet files, from the dictionaries of the files.
 *
 * {{{
 *   file 1, row group 1    dictionary 3, 7, 9
 *   file 1, row group 2    dictionary 7, 8         =>    5 values: 1, 3, 7, 8, 9
 *   file 2, row group 1    dictionary 1, 3
 * }}}
 *
 * Valid if all pages of a column are encoded by a dictionary. Counter-example: a column of many values,
 * whose writer gives the dictionary up half-way; the values of later pages are in no dictionary. A
 * dictionary may have a value that no row has, if it was not made by Spark's writer: then there are
 * fewer values.
 *
 * @param most the most bytes of dictionaries that may be read for a query
 */
final private[multiway] class ColumnDictionaries(most: Long) {

  import ColumnDictionaries._

  private val left = new AtomicLong(most)
  private val known = mutable.Map.empty[(Seq[Path], String), Option[Long]]

  /** None if a dictionary does not hold all values, cannot be read, or is larger than allowed. */
  def distinct(
      footers: Seq[Footer],
      column: String,
      same: (String, String) => Boolean): Option[Long] =
    known.getOrElseUpdate((footers.map(_.file.getPath), column),
      chunks(footers, column, same).filter(cheap).flatMap(count))

  private def chunks(
      footers: Seq[Footer],
      column: String,
      same: (String, String) => Boolean): Option[Seq[Chunks]] = {
    val found = footers.map(f => f.chunks(column, same).map(Chunks(f, _)))
    Option.when(found.forall(_.exists(_.held)))(found.flatten.filter(_.dictionaries.nonEmpty))
  }

  private def cheap(all: Seq[Chunks]): Boolean = all.map(_.bytes).sum <= left.get

  private def count(all: Seq[Chunks]): Option[Long] = {
    val found = Footers.each(all)(read)
    Option.when(found.forall(_.exists(_.nonEmpty)))(different(found.flatten.flatten))
  }

  /** The values of a file as numbers; None if their dictionaries are larger than allowed. */
  private def read(chunks: Chunks): Option[Array[Long]] = {
    val (file, metadata) = (chunks.footer.file, chunks.footer.metadata)
    val reader =
      ParquetFileReader.open(file, metadata, Footer.options(file), file.newStream())
    try {
      val found = chunks.dictionaries.iterator.map { case (block, chunk) =>
        if (left.get > 0) values(reader, block, chunk) else None
      }.takeWhile(_.nonEmpty).flatten.toSeq
      Option.when(found.length == chunks.dictionaries.length)(Array.concat(found: _*))
    } finally reader.close()
  }

  private def values(
      reader: ParquetFileReader,
      block: BlockMetaData,
      chunk: ColumnChunkMetaData): Option[Array[Long]] = {
    val path = chunk.getPath.toArray
    val column = reader.getFileMetaData.getSchema.getColumnDescription(path)
    val pages: DictionaryPageReadStore = reader.getDictionaryReader(block)
    val page = pages.readDictionaryPage(column)
    val affordable = page != null && left.addAndGet(-page.getUncompressedSize) >= 0
    Option.when(affordable)(numbers(column, page.getEncoding.initDictionary(column, page)))
  }
}

private object ColumnDictionaries {

  /** A column in the row groups of a file. */
  final case class Chunks(footer: Footer, chunks: Seq[ColumnChunkMetaData]) {

    /** The chunks that have any value but NULL, with their row groups. */
    val dictionaries: Seq[(BlockMetaData, ColumnChunkMetaData)] =
      footer.metadata.getBlocks.asScala.toSeq.zip(chunks).filterNot { case (_, chunk) =>
        Footer.nulls(chunk).contains(chunk.getValueCount)
      }

    /** True if dictionaries hold all values. */
    def held: Boolean = dictionaries.forall { case (_, chunk) => holdsAll(chunk) }

    /** The bytes of the dictionaries in the file. */
    def bytes: Long = dictionaries.map { case (_, chunk) =>
      (chunk.getFirstDataPageOffset - chunk.getDictionaryPageOffset).max(0)
    }.sum
  }

  /** True if the dictionary holds all values; files of very old writers do not say so. */
  private def holdsAll(chunk: ColumnChunkMetaData): Boolean =
    chunk.hasDictionaryPage && Option(chunk.getEncodingStats).exists { pages =>
      pages.hasDictionaryEncodedPages && !pages.hasNonDictionaryEncodedPages
    }

  /** Each value as a number of 64 bits: texts and bytes by their hash, which hardly ever collides. */
  private def numbers(column: ColumnDescriptor, dictionary: Dictionary): Array[Long] = {
    val number: Int => Long = column.getPrimitiveType.getPrimitiveTypeName match {
      case PrimitiveTypeName.INT32 => dictionary.decodeToInt(_).toLong
      case PrimitiveTypeName.INT64 => dictionary.decodeToLong
      case PrimitiveTypeName.FLOAT =>
        i => java.lang.Float.floatToIntBits(dictionary.decodeToFloat(i)).toLong
      case PrimitiveTypeName.DOUBLE =>
        i => java.lang.Double.doubleToLongBits(dictionary.decodeToDouble(i))
      case _ => i => hash(dictionary.decodeToBinary(i).getBytesUnsafe)
    }
    Array.tabulate(dictionary.getMaxId + 1)(number)
  }

  private def hash(bytes: Array[Byte]): Long =
    XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, Seed)

  private val Seed = 42L

  private def different(values: Seq[Array[Long]]): Long = {
    val all = Array.concat(values: _*)
    Arrays.sort(all)
    all.indices.count(i => i == 0 || all(i) != all(i - 1)).toLong
  }
}
