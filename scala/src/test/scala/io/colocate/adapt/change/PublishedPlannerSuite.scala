package io.colocate.adapt.change

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.apache.spark.sql.types._

import io.colocate.adapt.cost.SampleRanks
import io.colocate.adapt.window.{Asked, Asking, Window}
import io.colocate.tables.tree.{Cut, CutColumn, Leaf, Node, RobustTree, Sample, Split}

/** The worked figures of the published chapter, node by node. */
class PublishedPlannerSuite extends AnyFunSuite {

  private def cut(column: String, value: Int): Cut =
    Cut(column, IntegerType, value, inclusive = true, nullsLeft = false)

  /** "(A5 (C3 0 1) 2)" */
  private def text(node: Node): String = node match {
    case Leaf(Leaf.NoId) => "new"
    case Leaf(id) => id.toString
    case Split(c, left, right) => s"(${c.column}${c.value} ${text(left)} ${text(right)})"
  }

  private def leaf(id: Int) = Leaf(id)

  test("figure 6a: a swap with a cut of another column writes both sides") {
    val node = Split(cut("D", 4), leaf(0), Split(cut("B", 7), leaf(1), leaf(2)))
    assert(text(Transformations.swap(node, cut("A", 2))) == "(A2 new (B7 new new))")
  }

  test("figure 6b: of the same column only the side that loses rows is written") {
    val node = Split(cut("A", 10), Split(cut("B", 7), leaf(0), leaf(1)), leaf(2))
    assert(text(Transformations.swap(node, cut("A", 5))) == "(A5 (B7 new new) 2)")
    assert(text(Transformations.swap(node, cut("A", 15))) == "(A15 (B7 0 1) new)")
  }

  test("figure 7: a cut that both sides begin with moves up, and no leaf changes") {
    val node =
      Split(cut("D", 4), Split(cut("A", 2), leaf(0), leaf(1)), Split(cut("A", 2), leaf(2), leaf(3)))
    assert(Transformations.pushup(node).map(text).contains("(A2 (D4 0 2) (D4 1 3))"))
    val other = node.copy(right = Split(cut("A", 3), leaf(2), leaf(3)))
    assert(Transformations.pushup(other).isEmpty)
  }

  test("figure 8: two cuts of a column turn around each other, on either side") {
    val left = Split(cut("A", 5), Split(cut("A", 2), leaf(0), leaf(1)), leaf(2))
    assert(Transformations.rotate(left).map(text).contains("(A2 0 (A5 1 2))"))
    val right = Split(cut("A", 2), leaf(0), Split(cut("A", 5), leaf(1), leaf(2)))
    assert(Transformations.rotate(right).map(text).contains("(A5 (A2 0 1) 2)"))
    // Of other columns, or in the wrong order, as below a cut that the inner one contradicts.
    assert(Transformations.rotate(left.copy(cut = cut("B", 5))).isEmpty)
    assert(Transformations.rotate(left.copy(cut = cut("A", 1))).isEmpty)
  }

  private val columns = Seq("A", "B", "C", "D")
  private val schema = StructType(columns.map(StructField(_, IntegerType)))
  private val attributes = columns.map(AttributeReference(_, IntegerType)())
  private val Seq(a, b, _, d) = attributes

  /** Each combination of values from 1 to 10 once. */
  private val sample = Sample(CutColumn.among(schema),
    for (i <- 0 until 10000)
      yield Array[Any](i % 10 + 1, i / 10 % 10 + 1, i / 100 % 10 + 1, i / 1000 + 1))

  private def planned(tree: Node, price: Double, filters: Seq[Expression]*): Planned = {
    val window = Window(filters.toIndexedSeq.map(f => Asked(Asking.asking(f), schema).get))
    new PublishedPlanner(new SampleRanks(sample, schema), price, 1.0, columns.toSet)(tree, window)
  }

  /** That of figure 9: half of its leaves are below A5 and C3, cut by D4. */
  private val figure9 = Split(cut("A", 5),
    Split(cut("C", 3), Split(cut("D", 4), leaf(0), leaf(1)), Split(cut("D", 4), leaf(2), leaf(3))),
    Split(cut("B", 5), Split(cut("C", 6), leaf(4), leaf(5)), Split(cut("D", 7), leaf(6), leaf(7))))

  test("figure 9: A2 takes the place of D4, moves above C3, and then above A5") {
    val found = planned(figure9, 1.0, Seq.fill(20)(Seq(a <= 2)): _*)
    assert(text(found.node) == "(A2 (C3 new new) (A5 (C3 new new) (B5 (C6 4 5) (D7 6 7))))")
    // Half of the leaves hold half of the rows; each query reads 2000 rows in place of 5000.
    assert(found.cost == 5000 && found.benefit == 20 * 3000)
  }

  test("a benefit below the cost changes nothing") {
    val once = planned(figure9, 1.0, Seq(a <= 2))
    assert(once.node == figure9 && once.cost == 0)
    assert(planned(figure9, 20.0, Seq.fill(20)(Seq(a <= 2)): _*).node == figure9)
  }

  test("two queries that take turns do not write the table again and again") {
    val tree = Split(cut("C", 5), leaf(0), leaf(1))
    def asked(n: Int) =
      (0 until n).map(i => if (i % 2 == 0) Seq[Expression](a <= 2) else Seq[Expression](b <= 2))
    // The newest is by b; half of the window gains.
    val first = planned(tree, 1.5, asked(10): _*)
    assert(text(first.node) == "(B2 new new)")
    // With a tree for b, by a nothing is gained that b does not lose.
    val numbered = RobustTree(0, tree).withRoot(first.node).root
    assert(planned(numbered, 1.5, asked(11): _*).node == numbered)
  }

  test("a node is cut anew only if the query reads all of it") {
    // Of D4's two sides the query reads one, in which D2 takes the place of C3, and then moves up.
    val tree = Split(cut("D", 4), Split(cut("C", 3), leaf(0), leaf(1)), leaf(2))
    val found = planned(tree, 1.0, Seq.fill(20)(Seq(d <= 2, a <= 5)): _*)
    assert(text(found.node) == "(D2 new (D4 new 2))")
  }
}
