package io.colocate.tables.write

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateMutableProjection
import org.apache.spark.sql.types.IntegerType

import io.colocate.fuzz.Dice
import io.colocate.tables.pruning.RandomRows
import io.colocate.tables.tree.{Cut, Leaf, RobustTree, Split}

class LeafOfSuite extends AnyFunSuite {

  private val schema = RandomRows.schema

  private def leafOf(tree: RobustTree): LeafOf = {
    val columns = tree.columns
    val values = columns.map { name =>
      val at = schema.fieldNames.indexOf(name)
      BoundReference(at, schema(at).dataType, nullable = true)
    }
    LeafOf(tree.root, columns, values)
  }

  test("rows of every type go where the cuts lead them, interpreted and compiled") {
    var rows = 0
    for (seed <- 0 until 60) {
      val dice = new Dice(seed.toLong)
      val random = new RandomRows(dice)
      val tree = random.tree(id = 1)
      val expression = leafOf(tree)
      val compiled = GenerateMutableProjection.generate(Seq(expression))
      val positions = tree.leafIds.zipWithIndex.toMap
      for (_ <- 0 until 20; row <- random.rows()) {
        val expected = positions(RandomRows.leaf(tree, row))
        val internal = InternalRow.fromSeq(row)
        assert(expression.eval(internal) == expected, s"interpreted, seed $seed: $row")
        assert(compiled(internal).getInt(0) == expected, s"compiled, seed $seed: $row")
        rows += 1
      }
    }
    assert(rows > 1000)
  }

  test("a tree of one leaf takes every row") {
    val expression = leafOf(RobustTree(0, Leaf(5)))
    assert(expression.eval(InternalRow.empty) == 0)
    assert(GenerateMutableProjection.generate(Seq(expression))(InternalRow.empty).getInt(0) == 0)
  }

  test("leaves are counted from the left, whatever their ids") {
    val cut = Cut("i", IntegerType, 10, inclusive = true, nullsLeft = false)
    val tree = RobustTree(0, Split(cut, Leaf(9), Leaf(3)))
    val expression =
      LeafOf(tree.root, Seq("i"), Seq(BoundReference(0, IntegerType, nullable = true)))
    assert(Seq[Any](10, 11, null).map(v => expression.eval(InternalRow(v))) == Seq(0, 1, 1))
  }
}
