package io.colocate.tables.tree

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.IntegerType

/** The figures that the published text gives. */
class AllocationSuite extends AnyFunSuite {

  private val blocksOfOneTerabyte: Long = (1L << 40) / (64L << 20)

  test("1 TB in blocks of 64 MB: 14 columns where each spans the table, 28 at one half") {
    assert(blocksOfOneTerabyte == 16384)
    assert(Allocation.columns(blocksOfOneTerabyte, share = 1.0) == 14.0)
    assert(Allocation.columns(blocksOfOneTerabyte, share = 0.5) == 28.0)
  }

  test("a column that one node of each of two lower levels cuts has allocation 1.5") {
    // B parts one half of the rows, and a quarter of them on the other side.
    val tree = RobustTree(0,
      split("a", split("b", leaf(0), leaf(1)), split("c", split("b", leaf(2), leaf(3)), leaf(4))))
    assert(Allocation.of(tree) == Map("a" -> 2.0, "b" -> 1.5, "c" -> 1.0))
  }

  test("columns that count alike each get b^(1/a)") {
    assert(math.abs(Allocation.equal(leaves = 256, columns = 4) - 4.0) < 1e-9)
    assert(math.abs(Allocation.equal(leaves = 16384, columns = 14) - 2.0) < 1e-9)
  }

  test("weights share in proportion what a tree of so many leaves hands out") {
    val budget = Allocation.budget(Map("a" -> 3.0, "b" -> 1.0), leaves = 256)
    assert(math.abs(budget("a") - 12.0) < 1e-9 && math.abs(budget("b") - 4.0) < 1e-9)
    val halved = Allocation.of(RobustTree(0,
      split("a", split("b", leaf(0), leaf(1)), split("b", leaf(2), leaf(3)))))
    assert(math.abs(halved.values.sum - Allocation.budget(Map("a" -> 1.0), 4)("a")) < 1e-9)
  }

  private def leaf(id: Int): Node = Leaf(id)

  private def split(column: String, left: Node, right: Node): Node =
    Split(Cut(column, IntegerType, 0, inclusive = true, nullsLeft = true), left, right)
}
