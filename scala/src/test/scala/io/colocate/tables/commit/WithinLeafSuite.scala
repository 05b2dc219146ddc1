package io.colocate.tables.commit

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable
import io.colocate.tables.format.{ColumnStats, InvalidCommit, TreeAdded}
import io.colocate.tables.format.Isolation.Append
import io.colocate.tables.tree.{Cut, Leaf, Prefix, Split}

class WithinLeafSuite extends AnyFunSuite with LogFixture {

  private def text(s: String): UTF8String = UTF8String.fromString(s)

  private def problem(
      dataType: DataType,
      cut: Any,
      leaf: Int,
      stats: ColumnStats,
      inclusive: Boolean,
      nullsLeft: Boolean): Option[String] = {
    val root = Split(Cut("a", dataType, cut, inclusive, nullsLeft), Leaf(0), Leaf(1))
    new WithinLeaf(root, Map("a" -> dataType).get)
      .problem(file("f", leaf = Some(leaf)).copy(stats = Map("a" -> stats)))
  }

  private def between(min: Any, max: Any, nulls: Long = 0, nans: Long = 0): ColumnStats =
    ColumnStats(Option(min), Option(max), nulls, nans, bounded = true)

  private def check(allowed: Boolean, dataType: DataType, cut: Any, leaf: Int, stats: ColumnStats)(
      inclusive: Boolean = true,
      nullsLeft: Boolean = false): Unit = {
    val found = problem(dataType, cut, leaf, stats, inclusive, nullsLeft)
    assert(found.isEmpty == allowed, s"cut $cut inclusive $inclusive, leaf $leaf, $stats: $found")
  }

  test("numbers at a cut belong to the side that the cut says") {
    check(true, IntegerType, 10, 0, between(1, 10))()
    check(false, IntegerType, 10, 0, between(1, 10))(inclusive = false)
    check(false, IntegerType, 10, 0, between(1, 11))()
    check(true, IntegerType, 10, 1, between(11, 20))()
    check(false, IntegerType, 10, 1, between(10, 20))()
    check(true, IntegerType, 10, 1, between(10, 20))(inclusive = false)
    check(false, IntegerType, 10, 1, between(9, 20))(inclusive = false)
  }

  test("NULL and NaN belong to one side") {
    check(true, IntegerType, 10, 1, between(11, 20, nulls = 1))()
    check(false, IntegerType, 10, 0, between(1, 2, nulls = 1))()
    check(true, IntegerType, 10, 0, between(null, null, nulls = 5))(nullsLeft = true)
    check(false, IntegerType, 10, 1, between(null, null, nulls = 5))(nullsLeft = true)
    check(true, DoubleType, 1.5, 1, between(2.0, 3.0, nans = 1))()
    check(false, DoubleType, 1.5, 0, between(0.0, 1.0, nans = 1))()
    check(true, DoubleType, Double.NaN, 0, between(0.0, 9e9, nans = 1))()
    check(false, DoubleType, Double.NaN, 0, between(0.0, 1.0, nans = 1))(inclusive = false)
    check(true, DoubleType, Double.NaN, 1, between(null, null, nans = 1))(inclusive = false)
    check(false, DoubleType, Double.NaN, 1, between(0.0, 1.0))(inclusive = false)
    check(false, DoubleType, Double.NaN, 1, between(null, null, nans = 1))()
  }

  test("-0.0 and 0.0 are one value") {
    check(true, DoubleType, -0.0, 0, between(-1.0, 0.0))()
    check(false, DoubleType, 0.0, 1, between(-0.0, 1.0))()
  }

  test("bounds of long texts are prefixes, and stay on their side") {
    val (a, b) = ("a" * 100, "b" * 100)
    def bounds(values: String*): ColumnStats = {
      val all = values.map(text).sorted(Orderable.ordering(StringType).on[UTF8String](identity))
      ColumnStats(Prefix.below(all.head), Prefix.above(all.last), 0, 0, bounded = false)
    }
    for (inclusive <- Seq(true, false)) {
      // A cut that an older release has written whole.
      check(true, StringType, text(b), 0, bounds(a, a + "x"))(inclusive)
      check(true, StringType, text(b), 1, bounds(b + "x", "c"))(inclusive)
      check(false, StringType, text(b), 1, bounds(a, "c"))(inclusive)
      check(false, StringType, text(b), 0, bounds(a, "c"))(inclusive)
    }
    check(true, StringType, text(b), 0, bounds(b))()
    check(true, StringType, text(b), 1, bounds(b))(inclusive = false)
    check(true, StringType, text("b"), 0, bounds(a))(inclusive = false)
    check(true, StringType, text("b"), 1, bounds(b))()
    check(false, StringType, text("b"), 0, bounds(b))()
    // The least text above all that begin with the same 64 characters.
    val after = Prefix.after(text("a" * Prefix.Length)).get
    check(true, StringType, after, 0, bounds(a, a + "x"))(inclusive = false)
    check(false, StringType, after, 1, bounds(a, a + "x"))(inclusive = false)
    val last = "\uDBFF\uDFFF" * 70
    check(true, StringType, text(last), 0, bounds(a, last))()
  }

  test("what is not known says nothing, and neither does a cut of another type") {
    check(true, IntegerType, 10, 0, ColumnStats.unbounded(0, 0))()
    val root =
      Split(Cut("a", IntegerType, 10, inclusive = true, nullsLeft = false), Leaf(0), Leaf(1))
    val wrong = file("f", leaf = Some(1)).copy(stats = Map("a" -> between(1, 2)))
    assert(new WithinLeaf(root, Map("a" -> LongType).get).problem(wrong).isEmpty)
    assert(new WithinLeaf(root, _ => None).problem(wrong).isEmpty)
    assert(new WithinLeaf(root, Map("a" -> IntegerType).get).problem(wrong).nonEmpty)
    assert(new WithinLeaf(root, Map("a" -> IntegerType).get).problem(
        wrong.copy(leaf = None)).isEmpty)
  }

  test("a commit under another leaf is refused, with the column and the cut") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      val e =
        intercept[InvalidCommit](log.commit(0, Seq(file("x").copy(leaf = Some(1)), who()), Append))
      assert(e.getMessage.contains("NOT a <= 10") && e.getMessage.contains("[1, 9]"))
      log.commit(0, Seq(file("x"), who()), Append)
    }
  }

  test("trees that are copies get as many rows each") {
    inFolder { folder =>
      val log = open(folder)
      val copied = metadata.copy(options = Map("replicas" -> "2"))
      log.commit(TableLog.NoVersion,
        Seq(who(), copied, TreeAdded(treeOf(0, Leaf(0), Leaf(1))),
          TreeAdded(treeOf(1, Leaf(0), Leaf(1)))), Append)
      val e = intercept[InvalidCommit](log.commit(0,
        Seq(file("x"), file("y", rows = 9, treeId = 1), who()), Append))
      assert(e.getMessage.contains("10 and 9 rows"))
      intercept[InvalidCommit](log.commit(0, Seq(file("x"), who()), Append))
      log.commit(0, Seq(file("x"), file("y", treeId = 1), who()), Append)
    }
  }
}
