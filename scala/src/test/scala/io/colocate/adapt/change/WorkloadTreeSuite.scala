package io.colocate.adapt.change

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import io.colocate.adapt.cost.{CutPath, ExpectedReads, ExpectedRows, SampleRanks}
import io.colocate.adapt.window.{Asked, Asking, Window}
import io.colocate.tables.tree.{Cut, CutColumn, Leaf, Node, Sample, Split}

/** Subtrees for queries, and what these are expected to read of them, over rows of a sample alone. */
class WorkloadTreeSuite extends AnyFunSuite {

  private val schema = new StructType().add("a", IntegerType).add("b", IntegerType)
  private val a = AttributeReference("a", IntegerType)()
  private val b = AttributeReference("b", IntegerType)()

  /** b does not depend on a; every tenth b is NULL. */
  private val rows: IndexedSeq[Array[Any]] = (0 until 1000).map { i =>
    Array[Any](i, if (i % 10 == 0) null else i * 619 % 1000)
  }
  private val sample = Sample(CutColumn.among(schema), rows)
  private val ranks = new SampleRanks(sample, schema)
  private val build = new WorkloadTree(ranks, Map("a" -> 1.0, "b" -> 1.0))

  private def asked(predicates: Expression*): Asked =
    Asked(Asking.asking(predicates), schema).get

  private def tree(leaves: Int, queries: Asked*): Node =
    build(sample.rows.indices, CutPath.root(schema), queries.toIndexedSeq, leaves)

  private def reads(node: Node, query: Asked): Double =
    new ExpectedReads(ranks, 1.0)(node, sample.rows.indices, CutPath.root(schema), Seq(query))

  private def sizes(node: Node, of: IndexedSeq[Int] = sample.rows.indices): Seq[Int] = node match {
    case Leaf(_) => Seq(of.length)
    case Split(cut, left, right) =>
      val parted = sample.parted(of, cut)
      sizes(left, parted.left) ++ sizes(right, parted.right)
  }

  test("cuts are where the queries want them, and the rest is cut at medians") {
    val query = asked(b >= 300, b < 400)
    val found = tree(8, query)
    assert(found.cuts.exists(_.toString == "b < 300") && found.cuts.exists(_.toString == "b < 400"))
    assert(reads(found, query) < 200)
    // A tree that cuts a alone reads all that it has.
    val only = new WorkloadTree(ranks, Map("a" -> 1.0))
    assert(reads(only(sample.rows.indices, CutPath.root(schema), IndexedSeq(query), 8),
      query) > 900)
  }

  test("no leaf has less than half of the rows that one has had") {
    val found = tree(10, asked(b === 77), asked(a < 3), asked(a >= 997))
    assert(sizes(found).min >= 50 && sizes(found).sum == 1000)
    assert(!found.cuts.exists(_.toString == "a < 3"))
  }

  test("NULL is on the smaller side, and is found there") {
    val found = tree(4, asked(b < 200))
    val Split(cut, _, _) = found: @unchecked
    assert(cut.column == "b" && cut.nullsLeft)
    assert(reads(found, asked(IsNull(b))) > 0)
  }

  private def month(start: Int): Asked = asked(a >= start, a < start + 50, b < 500)

  test("what queries with other constants would ask for is cut too, though no query reads it") {
    val found = tree(16, month(100), month(400), month(700))
    val next = Seq(0, 200, 550, 850).map(start => reads(found, month(start)))
    assert(next.max <= 200, next)
    // All compare b with one constant, so one cut by it is enough.
    assert(found.cuts.count(_.column == "b") <= 2)
  }

  test("columns that all queries compare with the same constants are not cut more than others") {
    val found = tree(16, month(100), month(100), month(100))
    assert(found.cuts.count(_.column == "b") >= 4)
    assert(reads(found, month(850)) > 200)
  }

  test("the variety of constants") {
    val variety = new Variety(Seq(month(100), month(400), month(400), asked(b < 7)))
    assert(variety.of("a") == 0.5 && variety.isGreat("a"))
    assert(variety.of("b") == 1.0 / 3 && !variety.isGreat("b"))
    // Nobody knows what the second query will ask for.
    assert(new Variety(Seq(month(100))).of("a") == 1.0)
    assert(new Variety(Seq(month(100))).of("c") == 0.0)
  }

  test("columns that may not be cut are not") {
    val only = new WorkloadTree(ranks, Map("a" -> 1.0))
    val found = only(sample.rows.indices, CutPath.root(schema), IndexedSeq(asked(b < 10)), 8)
    assert(found.cuts.map(_.column).distinct == Seq("a"))
  }

  test("the same queries give the same tree, in whatever order they came") {
    val queries = Seq(asked(b < 500), asked(a < 500), asked(a >= 500, b >= 500))
    assert(tree(8, queries: _*) == tree(8, queries.reverse: _*))
  }

  test("the range of a few rows is taken to be wider than they are, and ends where the cuts end") {
    val few = IndexedSeq(100, 101, 102, 103, 104, 105, 106, 107, 108, 109)
    val wide = new ExpectedRows(ranks, few, CutPath.root(schema)).bounds(0)
    // 2 * 1000 / 10 places at both ends; 100 has no place 200 before it.
    assert(wide.min == null && wide.max == 309)
    val cut =
      CutPath.root(schema).left(Cut("a", IntegerType, 110, inclusive = false, nullsLeft = false))
    val clipped = new ExpectedRows(ranks, few, cut).bounds(0)
    assert(clipped.max == 110 && !clipped.maxIncluded && !clipped.mayBeNull)
    // Nothing is cut off of a column that the path does not cut.
    assert(new ExpectedRows(ranks, few, cut).bounds(1).mayBeNull)
  }

  test("halves have queries of every kind, also where kinds alternate") {
    val both = (0 until 8).map(i => if (i % 2 == 0) asked(a < i + 1) else asked(b < i))
    val (one, other) = Window.halves(both, both.indices)
    assert((one ++ other).sorted == both.indices)
    Seq(one, other).foreach { half =>
      assert(half.map(both(_).columns).toSet == Set(Set(0), Set(1)))
    }
  }
}
