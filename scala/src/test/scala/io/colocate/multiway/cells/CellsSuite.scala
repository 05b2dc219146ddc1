package io.colocate.multiway.cells

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** To which cells rows go. */
class CellsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val box = Box(Seq(3, 1, 4, 2))
  private val cells = Cells(box)

  /** The cells of a row with these values of some variables, by number. */
  private def sent(values: Map[Int, Long]): Set[Int] = {
    val variables = values.keys.toSeq.sorted
    val base = variables.map(v => box.place(v, values(v))).sum
    box.offsets(variables).map(base + _).toSet
  }

  private def has(cell: Cell, values: Map[Int, Long]): Boolean =
    values.forall { case (v, hash) => cell.has(v, hash) }

  test("a row goes to the cells that agree with it, and to no other") {
    forAll { (a: Int, b: Int, c: Int) =>
      for (values <- Seq(Map(0 -> (a & 0xffffL)), Map(0 -> (a & 0xffffL), 2 -> (b & 0xffffL)),
          Map(1 -> (c & 0xffffL), 3 -> (a & 0xffffL)))) {
        val expected = (0 until cells.count).filter(n => has(cells.cell(n), values)).toSet
        assert(sent(values) == expected)
        assert(expected.size == box.copies(values.keys.toSeq))
      }
    }
  }

  test("values of all variables meet in one cell, and in one part of each") {
    forAll { (a: Int, b: Int, c: Int, d: Int) =>
      val values = Seq(a, b, c, d).map(_ & 0xffffffL).zipWithIndex.map(_.swap).toMap
      val Seq(number) = sent(values).toSeq
      val parts =
        (0 until 6).foldLeft(Seq(cells.cell(number)))((parts, i) => parts.flatMap(_.halves(i % 4)))
      assert(parts.length == 64 && parts.count(has(_, values)) == 1)
    }
  }
}
