package io.colocate.multiway.model

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.multiway.rows.JoinTables
import io.colocate.multiway.wcoj.Demand

/** What is built of rows against what it is said to take, and rows that are too many to be sent. */
class BuildMemorySuite extends AnyFunSuite {

  private def rows(types: Seq[DataType], n: Int): Iterator[InternalRow] = {
    val unsafe = UnsafeProjection.create(types.toArray)
    Iterator.tabulate(n) { i =>
      unsafe(new GenericInternalRow(types.indices.map { c =>
      val value = (i.toLong * (7919 + c)) % n
      types(c) match {
        case StringType => UTF8String.fromString(s"text of some length $value")
        case LongType => value << 20
        case _ => value.toInt
      }
    }.toArray[Any]))
    }
  }

  private val alive = () => ()

  private def mode(
      types: Seq[DataType],
      payload: Seq[Int],
      most: MostMemory = MostMemory.Unlimited) =
    RelationMode(types.indices.diff(payload), types.indices.diff(payload).map(types), payload,
      payload.map(types), most)

  private def sent(mode: RelationMode, types: Seq[DataType], n: Int): Array[InternalRow] =
    mode.transform(rows(types, n), None).asInstanceOf[Array[InternalRow]]

  for ((name, types, payload) <- Seq(("numbers", Seq(IntegerType, IntegerType), Nil),
      ("numbers far apart", Seq(LongType, LongType), Nil),
      ("texts", Seq(StringType, StringType), Nil),
      ("a carried text", Seq(IntegerType, IntegerType, StringType), Seq(2))))
    test(s"what is built of $name is within the bound") {
      val encoded =
        new EncodedRelation(sent(mode(types, payload), types, 20000), mode(types, payload))
      val relation = RelationSpec(0, Seq(0, 1), Seq(0, 1), Demand.EachRow, payload.nonEmpty)
      val spec = TablesSpec(types.take(2), Seq(relation), Nil, Nil)
      val built = JoinTables.build(spec, Seq(encoded))(alive)
      val bound = BuildMemory.of(mode(types, payload), encoded)
      // What is left in the end, without the copies that are made on the way.
      assert(built.bytes + encoded.bytes <= bound && bound <= 4 * (built.bytes + encoded.bytes))
    }

  test("rows that take more than may be sent are not") {
    val types = Seq(IntegerType, IntegerType)
    val fits = sent(mode(types, Nil, most = MostMemory(2 << 20, Long.MaxValue)), types, 100000)
    assert(!RelationMode.tooLarge(fits) && new EncodedRelation(fits,
      mode(types, Nil)).rows == 100000)
    val many = sent(mode(types, Nil, most = MostMemory(1 << 20, Long.MaxValue)), types, 100000)
    assert(RelationMode.tooLarge(many) && many.length == 1)
    val built = sent(mode(types, Nil, most = MostMemory(2 << 20, 4 << 20)), types, 100000)
    assert(RelationMode.tooLarge(built))
    assert(!RelationMode.tooLarge(sent(mode(types, Nil, most = MostMemory(0, 0)), types, 0)))
  }
}
