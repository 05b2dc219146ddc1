package io.colocate.multiway.model

import java.util.{Arrays, HashMap, HashSet}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.multiway.wcoj.Dictionary

/** The ranks of the values that some columns have, in the order of the values. */
sealed abstract private[multiway] class Domain {
  def size: Int

  def bytes: Long

  /** The ranks of a column of a relation. */
  def ranks(relation: EncodedRelation, key: Int): Array[Int]

  /** The rank of a value in a row; -1 for NULL, and for a value that no relation has. */
  def rank(row: InternalRow, ordinal: Int): Int

  def set(row: InternalRow, ordinal: Int, rank: Int): Unit
}

private[multiway] object Domain {

  /** @param columns relations, each with the number of a key */
  def of(key: KeyType, columns: Seq[(EncodedRelation, Int)]): Domain = key match {
    case number: NumberKey =>
      new Numbers(number, Dictionary.of(columns.map { case (r, k) => r.numbers(k) }))
    case text: TextKey => new Texts(text, distinct(columns.map { case (r, k) => r.texts(k) }))
  }

  private def distinct(columns: Seq[Array[UTF8String]]): Array[UTF8String] = {
    val seen = new HashSet[UTF8String]
    columns.foreach(_.foreach(seen.add))
    val all = seen.toArray(new Array[UTF8String](0))
    Arrays.sort(all, (a: UTF8String, b: UTF8String) => a.binaryCompare(b))
    all
  }

  final private class Numbers(key: NumberKey, dictionary: Dictionary) extends Domain {
    override def size: Int = dictionary.size
    override def bytes: Long = dictionary.bytes
    override def ranks(relation: EncodedRelation, column: Int): Array[Int] =
      dictionary.ranks(relation.numbers(column))
    override def rank(row: InternalRow, ordinal: Int): Int =
      if (row.isNullAt(ordinal)) -1 else dictionary.rank(key.get(row, ordinal))
    override def set(row: InternalRow, ordinal: Int, rank: Int): Unit =
      key.setNumber(row, ordinal, dictionary.values(rank))
  }

  final private class Texts(key: TextKey, values: Array[UTF8String]) extends Domain {
    private val byText = new HashMap[UTF8String, Integer](values.length * 2)
    for (rank <- values.indices) byText.put(values(rank), rank)

    private def rank(text: UTF8String): Int = {
      val found = byText.get(text)
      if (found == null) -1 else found
    }

    override def size: Int = values.length
    override def bytes: Long = 80L * values.length
    override def ranks(relation: EncodedRelation, column: Int): Array[Int] =
      relation.texts(column).map(rank)
    override def rank(row: InternalRow, ordinal: Int): Int =
      if (row.isNullAt(ordinal)) -1 else rank(key.get(row, ordinal))
    override def set(row: InternalRow, ordinal: Int, rank: Int): Unit =
      key.set(row, ordinal, values(rank))
  }
}
