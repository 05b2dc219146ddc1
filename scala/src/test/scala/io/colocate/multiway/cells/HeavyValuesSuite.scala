package io.colocate.multiway.cells

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.LongType

import io.colocate.multiway.exec.RoleRows
import io.colocate.multiway.model.KeyType

/** Values that have boxes of cells of their own. */
class HeavyValuesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def hash(value: Long): Long =
    KeyHash.of(InternalRow(value), 0, KeyType.orThrow(LongType))

  /** Of four variables the first has the heavy value 0, the third 0 and 1. */
  private val heavy = HeavyValues(Seq(0 -> Seq(hash(0)), 2 -> Seq(hash(0), hash(1))))
  private val cells = Cells(Seq(Seq(3, 1, 4, 2), Seq(1, 4, 2, 2), Seq(3, 2, 2, 1), Seq(1, 2, 2, 1))
      .map(Box), heavy)

  private def role(variables: Seq[Int]) = Role(variables.indices, variables)

  private def sent(variables: Seq[Int], row: InternalRow): Seq[Int] = {
    val found = Seq.newBuilder[Int]
    new CellsOf(cells, role(variables), variables.map(_ => LongType)).foreach(row)(found += _)
    found.result()
  }

  private def isIn(part: Cell, variables: Seq[Int], row: InternalRow): Boolean = {
    val keys = new CellRouting(role(variables), variables.map(_ => LongType), heavy)
    new RoleRows(role(variables), keys).in(part, Iterator(row)).nonEmpty
  }

  private def value(i: Int): Long = (i & 0xff).toLong % 5

  test("rows that join meet in one cell, and each goes to all cells that it belongs to") {
    forAll { (a: Int, b: Int, c: Int, d: Int) =>
      val values = Seq(a, b, c, d).map(value)
      val Seq(meeting) = sent(Seq(0, 1, 2, 3), InternalRow.fromSeq(values))
      for (variables <- Seq(Seq(0, 1), Seq(2, 1), Seq(3), Seq(0, 2), Seq(1, 3, 2))) {
        val row = InternalRow.fromSeq(variables.map(values))
        val to = sent(variables, row)
        assert(to.contains(meeting) && to.distinct == to)
        assert(
          to.toSet == (0 until cells.count).filter(n => isIn(cells.cell(n), variables, row)).toSet)
      }
    }
  }

  test("of the parts of a cell rows are in one") {
    forAll { (a: Int, b: Int, c: Int, d: Int) =>
      val row = InternalRow.fromSeq(Seq(a, b, c, d).map(value))
      val Seq(number) = sent(Seq(0, 1, 2, 3), row)
      val parts =
        (0 until 6).foldLeft(Seq(cells.cell(number)))((parts, i) => parts.flatMap(_.halves(i % 4)))
      assert(parts.count(isIn(_, Seq(0, 1, 2, 3), row)) == 1)
    }
  }

  private def frequency(variable: Int, hash: Long, share: Double) =
    Frequency(0, variable, hash, share)

  test("a value is heavy that would give its cells twice the rows of others") {
    val box = Box(Seq(4, 4, 4))
    def found(frequencies: Frequency*) = HeavyValues.of(frequencies, box).of
    assert(found(frequency(1, 7, 0.21), frequency(0, 8, 0.19)) == Seq(1 -> Seq(7L)))
    assert(found(frequency(1, 7, 0.3), frequency(1, 9, 0.4), frequency(1, 9, 0.5)) ==
      Seq(1 -> Seq(9L, 7L)))
    assert(found() == Nil)
  }

  test("a side of one cell needs none, and there are fewer kinds than cells") {
    assert(HeavyValues.of(Seq(frequency(0, 7, 1.0)), Box(Seq(1, 64))).isEmpty)
    val all = (0 until 6).map(v => frequency(v, 7, 0.6 + v * 0.01))
    assert(HeavyValues.of(all, Box(Seq.fill(6)(2))).of.map(_._1) == Seq(3, 4, 5))
    assert(HeavyValues.of(all, Box(Seq(2, 1, 1, 1, 1, 1))).of.map(_._1) == Seq(0))
    assert(HeavyValues.of(all, Box(Seq(2, 2, 1, 1, 1, 1))).kinds == 4)
  }
}
