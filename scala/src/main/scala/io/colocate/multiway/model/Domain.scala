package io.colocate.multiway.model

import java.util.{Arrays, HashMap, HashSet}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.multiway.wcoj.Dictionary

/**
 * The ranks of the values that some columns have, in the order of the values; those that come later have the
 * ranks after these, in no order.
 */
sealed abstract private[multiway] class Domain {
  def size: Int

  /** How many values came later. */
  def later: Int

  def bytes: Long

  /**
   * The same ranks, and more for the other values of some columns; itself if there are none.
   *
   * @param columns relations, each with the number of a key
   */
  def grown(columns: Seq[(EncodedRelation, Int)]): Domain

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
    case text: TextKey =>
      val values = distinct(columns.map { case (r, k) => r.texts(k) })
      new Texts(text, new TextTable(values), new TextTable(Array.empty))
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
    override def later: Int = dictionary.later
    override def bytes: Long = dictionary.bytes
    override def grown(columns: Seq[(EncodedRelation, Int)]): Domain = {
      val all = dictionary.grown(columns.map { case (r, k) => r.numbers(k) })
      if (all eq dictionary) this else new Numbers(key, all)
    }
    override def ranks(relation: EncodedRelation, column: Int): Array[Int] =
      dictionary.ranks(relation.numbers(column))
    override def rank(row: InternalRow, ordinal: Int): Int =
      if (row.isNullAt(ordinal)) -1 else dictionary.rank(key.get(row, ordinal))
    override def set(row: InternalRow, ordinal: Int, rank: Int): Unit =
      key.setNumber(row, ordinal, dictionary.value(rank))
  }

  final private class Texts(key: TextKey, base: TextTable, more: TextTable) extends Domain {

    private def rank(text: UTF8String): Int = {
      val known = base.rank(text)
      if (known >= 0 || more.size == 0) known
      else {
        val found = more.rank(text)
        if (found < 0) found else base.size + found
      }
    }

    override def size: Int = base.size + more.size
    override def later: Int = more.size
    override def bytes: Long = 80L * size
    override def grown(columns: Seq[(EncodedRelation, Int)]): Domain = {
      val others = distinct(columns.map { case (r, k) => r.texts(k).filter(rank(_) < 0) })
      if (others.isEmpty) this else new Texts(key, base, new TextTable(more.values ++ others))
    }
    override def ranks(relation: EncodedRelation, column: Int): Array[Int] =
      relation.texts(column).map(rank)
    override def rank(row: InternalRow, ordinal: Int): Int =
      if (row.isNullAt(ordinal)) -1 else rank(key.get(row, ordinal))
    override def set(row: InternalRow, ordinal: Int, rank: Int): Unit = key.set(row, ordinal,
      if (rank < base.size) base.values(rank) else more.values(rank - base.size))
  }

  /** @param values texts by rank, each once */
  final private class TextTable(val values: Array[UTF8String]) {
    private val byText = new HashMap[UTF8String, Integer](values.length * 2)
    for (rank <- values.indices) byText.put(values(rank), rank)

    def size: Int = values.length

    /** The rank of a text, -1 if it has none. */
    def rank(text: UTF8String): Int = {
      val found = byText.get(text)
      if (found == null) -1 else found
    }
  }
}
