package io.colocate.multiway.cells

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression, XXH64}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{DataType, LongType}

import io.colocate.multiway.model.{KeyType, NumberKey, TextKey}

/** The position of rows along the sides of cells, in one of their roles: the same for equal keys. */
final private[multiway] class CellRouting(role: Role, types: Seq[DataType], heavy: HeavyValues) {

  private val ordinals = role.columns.toArray
  private val keyTypes = role.columns.map(c => KeyType.orThrow(types(c))).toArray
  private val heavies = role.variables.map(heavy.hashes).toArray
  private val bits = role.variables.map(heavy.bit).toArray
  private val allBits = heavy.bits(role.variables)

  /** For each key its hash, or its number among the heavy values if it is one. */
  val values = new Array[Long](ordinals.length)

  private var kind = 0

  /** @return false for a row with a NULL key, which joins nothing */
  def read(row: InternalRow): Boolean = {
    kind = 0
    var i = 0
    while (i < ordinals.length) {
      if (row.isNullAt(ordinals(i))) return false
      val hash = KeyHash.of(row, ordinals(i), keyTypes(i))
      val number = CellRouting.find(hash, heavies(i))
      if (number < 0) values(i) = hash
      else {
        values(i) = number
        kind |= bits(i)
      }
      i += 1
    }
    true
  }

  /** True if the row that was read may have that kind, by the variables that it has. */
  def mayBe(kind: Int): Boolean = (kind & allBits) == this.kind
}

private[multiway] object CellRouting {

  /** The index of a number, -1 if it is not there. Scala's own search would box it. */
  private def find(number: Long, all: Array[Long]): Int = {
    var i = all.length - 1
    while (i >= 0 && all(i) != number) i -= 1
    i
  }
}

/** The hash of a key, which decides its cells; NULL for NULL. Spark's own shuffles use another hash. */
final private[multiway] case class KeyHash(child: Expression)
    extends UnaryExpression
    with CodegenFallback {

  private lazy val keyType = KeyType.orThrow(child.dataType)

  override def dataType: DataType = LongType

  override def nullIntolerant: Boolean = true

  override protected def nullSafeEval(value: Any): Any = KeyHash.of(InternalRow(value), 0, keyType)

  override protected def withNewChildInternal(newChild: Expression): KeyHash = copy(newChild)
}

private[multiway] object KeyHash {

  private val Seed = 1618L

  private[multiway] def of(row: InternalRow, ordinal: Int, keyType: KeyType): Long =
    (keyType match {
      case number: NumberKey => XXH64.hashLong(number.get(row, ordinal), Seed)
      case text: TextKey =>
        val value = text.get(row, ordinal)
        XXH64.hashUnsafeBytes(value.getBaseObject, value.getBaseOffset, value.numBytes, Seed)
    }) & Long.MaxValue
}
