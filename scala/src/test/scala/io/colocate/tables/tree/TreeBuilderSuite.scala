package io.colocate.tables.tree

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable

/** The builders, on samples small enough to follow by hand. */
class TreeBuilderSuite extends AnyFunSuite {

  private def ints(columns: (String, Seq[Any])*): Sample =
    Sample(columns.map { case (name, _) => CutColumn(name, IntegerType) }.toIndexedSeq,
      columns.head._2.indices.map(i => columns.map(_._2(i)).toArray[Any]))

  private def alike(sample: Sample): Map[String, Double] =
    sample.columns.map(_.name -> 1.0).toMap

  private def sizes(tree: Node, sample: Sample): Map[Int, Int] =
    sample.rows.groupMapReduce(leafOf(tree, sample, _))(_ => 1)(_ + _)

  private def leafOf(node: Node, sample: Sample, row: Array[Any]): Int = node match {
    case Leaf(id) => id
    case Split(cut, left, right) =>
      val at = sample.ordinal(cut.column)
      val next = if (cut.goesLeft(row(at), sample.columns(at).ordering)) left else right
      leafOf(next, sample, row)
  }

  private def shape(node: Node): String = node match {
    case Leaf(id) => s"$id"
    case Split(cut, left, right) => s"($cut: ${shape(left)}, ${shape(right)})"
  }

  // a: 1..8; b: 8, 1, 7, 2, 6, 3, 5, 4.
  private val worked = ints("a" -> (1 to 8), "b" -> Seq(8, 1, 7, 2, 6, 3, 5, 4))

  test("published: a worked example, node by node") {
    // Four leaves and two columns, each with an allocation of 2. The root takes a, at the largest value of
    // the lower half, and a has nothing left; so both nodes below take b: its lower halves there are
    // {1, 2} of {8, 1, 7, 2} and {3, 4} of {6, 3, 5, 4}.
    val tree = PublishedBuilder.build(TreeRequest(worked, alike(worked), leaves = 4))
    assert(shape(tree) == "(a <= 4: (b <= 2: 0, 1), (b <= 4: 2, 3))")
    assert(sizes(tree, worked) == Map(0 -> 2, 1 -> 2, 2 -> 2, 3 -> 2))
  }

  test("published: heterogeneous branches, where allocations run out below different nodes") {
    // Eight leaves and three columns, each with 2. The root takes a, which has nothing left then; the
    // two nodes below take b and c, which have 1 left each. On the third level a cut takes a half:
    // the first node has the choice and takes c, as its path has cut b; then b has more left; then
    // both have a half left, and the third node takes b, as its path has cut c; then c is left.
    val sample =
      ints("a" -> (1 to 16), "b" -> (1 to 16).map(_ * 7 % 17), "c" -> (1 to 16).map(_ * 5 % 17))
    val tree = PublishedBuilder.build(TreeRequest(sample, alike(sample), leaves = 8))
    // Pre-order: the root, the left node and what is below it, the right node and what is below it.
    assert(tree.cuts.map(_.column) == Seq("a", "b", "c", "b", "c", "b", "c"))
  }

  test("published: the depth is log2 of the leaves, a constant column is no cut") {
    val sample = ints("a" -> (1 to 100), "b" -> Seq.fill(100)(7))
    val tree = PublishedBuilder.build(TreeRequest(sample, alike(sample), leaves = 8))
    assert(tree.depth == 3 && tree.cuts.forall(_.column == "a"))
    val constant = ints("b" -> Seq.fill(100)(7))
    assert(PublishedBuilder.build(TreeRequest(constant, alike(constant), 8)) == Leaf(0))
  }

  // Nine of ten rows share one value.
  private val lopsided =
    ints("a" -> (1 to 1000).map(i => if (i % 10 == 0) i else 0), "b" -> (1 to 1000))

  test("size-driven: leaves hold alike many rows where the published order leaves gaps") {
    val request = TreeRequest(lopsided, alike(lopsided), leaves = 16)
    val published = sizes(PublishedBuilder.build(request), lopsided).values
    val driven = sizes(new SizeDrivenBuilder().build(request), lopsided).values
    assert(published.max > 5 * published.min)
    assert(driven.size == 16 && driven.max <= 3 * driven.min)
  }

  test("size-driven: no cut is worse than a fifth; where none is better the leaf stays") {
    val sample = ints("a" -> Seq.fill(90)(0).appendedAll(1 to 10))
    assert(new SizeDrivenBuilder().build(TreeRequest(sample, alike(sample), 4)) == Leaf(0))
    val even = ints("a" -> Seq.fill(75)(0).appendedAll(1 to 25))
    assert(new SizeDrivenBuilder().build(TreeRequest(even, alike(even), 2)).cuts.size == 1)
  }

  test("size-driven: the weight of a column tells for how many rows it is cut") {
    val sample = ints("a" -> (0 until 1024).map(_ * 37 % 1024), "b" -> (0 until 1024))
    def allocation(weights: Map[String, Double]) =
      Allocation.of(RobustTree(0, new SizeDrivenBuilder().build(TreeRequest(sample, weights, 64))))
    val (even, weighted) = (allocation(alike(sample)), allocation(Map("a" -> 5.0, "b" -> 1.0)))
    assert(even("a") == even("b") && weighted("a") >= 2 * weighted("b"))
  }

  test("leaves are numbered from the left, without gaps") {
    val tree = new SizeDrivenBuilder().build(TreeRequest(lopsided, alike(lopsided), 13))
    assert(tree.leaves.map(_.id) == (0 until 13))
  }

  test("NULL goes to one side, and a column of NULL and one value is cut between them") {
    val sample = ints("a" -> Seq[Any](null, null, 5, 5))
    val tree = new SizeDrivenBuilder().build(TreeRequest(sample, alike(sample), 2))
    assert(sizes(tree, sample) == Map(0 -> 2, 1 -> 2))
    val nothing = ints("a" -> Seq[Any](null, null))
    assert(new SizeDrivenBuilder().build(TreeRequest(nothing, alike(nothing), 2)) == Leaf(0))
  }

  test("an empty sample gives one leaf") {
    val sample = Sample(IndexedSeq(CutColumn("a", IntegerType)), IndexedSeq.empty)
    for (builder <- Seq(PublishedBuilder, new SizeDrivenBuilder()))
      assert(builder.build(TreeRequest(sample, alike(sample), 8)) == Leaf(0))
  }

  test("NaN is the greatest value, -0.0 equals 0.0") {
    val column = CutColumn("x", DoubleType)
    val values = IndexedSeq[Any](Double.NaN, -0.0, 0.0, Double.NaN)
    val sample = Sample(IndexedSeq(column), values.map(Array(_)))
    val cut =
      new SizeDrivenBuilder().build(TreeRequest(sample, Map("x" -> 1.0), 2)).cuts.head
    assert(values.map(cut.goesLeft(_, column.ordering)) == Seq(false, true, true, false))
  }

  test(
    "two phases: half of the depth on the join key, more of a large table, the rest on the others") {
    val sample = ints("k" -> (0 until 4096).map(_ * 37 % 4096), "a" -> (0 until 4096),
      "b" -> (0 until 4096).map(_ * 101 % 4096))
    def levels(node: Node, depth: Int): Seq[(Int, String)] = node match {
      case Leaf(_) => Nil
      case Split(cut, left, right) =>
        (depth -> cut.column) +: (levels(left, depth + 1) ++ levels(right, depth + 1))
    }
    for ((rows, keys) <- Seq(1L -> 3, 16000000L -> 3, 16000001L -> 4, 1000000000L -> 6)) {
      val tree = new TwoPhaseBuilder(Seq("k"), levels = None, rows)
        .build(TreeRequest(sample, alike(sample), leaves = 64))
      val (upper, lower) = levels(tree, 0).partition(_._1 < keys)
      assert(tree.leaves.size == 64 && upper.forall(_._2 == "k") && lower.forall(_._2 != "k"), rows)
    }
  }

  test("two phases: the join key is cut on where nothing else can be, unless levels were given") {
    val sample = ints("k" -> (0 until 4096), "two" -> (0 until 4096).map(_ % 2))
    val request = TreeRequest(sample, alike(sample), leaves = 64)
    val tree = new TwoPhaseBuilder(Seq("k"), levels = None, rows = 4096).build(request)
    assert(tree.leaves.size == 64 && tree.cuts.count(_.column == "two") == 8)
    val asked = new TwoPhaseBuilder(Seq("k"), levels = Some(3), rows = 4096).build(request)
    assert(asked.leaves.size == 16 && asked.cuts.count(_.column == "k") == 7)
  }

  test("two phases: another sample of the same keys gives the same cuts of them") {
    val trees = for (seed <- 1 to 20) yield {
      val random = new scala.util.Random(seed)
      val sample = ints("k" -> Seq.fill(4000)(random.nextInt(6000000)))
      new TwoPhaseBuilder(Seq("k"), levels = Some(3), rows = 4000)
        .build(TreeRequest(sample, alike(sample), leaves = 8)).cuts.map(_.value).toSet
    }
    // Ranges between powers of two weigh alike; which of them are cut is not to be left to the sample.
    assert(trees.toSet.size == 1, trees.toSet)
  }

  test("all orderable types are cut and their cut values survive being written") {
    val types = Map[DataType, Seq[Any]](BooleanType -> Seq(false, true),
      ByteType -> Seq(1.toByte, 2.toByte), ShortType -> Seq(1.toShort, 2.toShort),
      IntegerType -> Seq(1, 2), LongType -> Seq(1L, 2L), FloatType -> Seq(-0.0f, Float.NaN),
      DoubleType -> Seq(1.5, Double.NaN),
      DecimalType(20, 3) -> Seq(Decimal("1.500", 20, 3), Decimal("2.500", 20, 3)),
      DateType -> Seq(1, 2), TimestampType -> Seq(1L, 2L), TimestampNTZType -> Seq(1L, 2L),
      StringType -> Seq(UTF8String.fromString("a"), UTF8String.fromString("ü\n\"")),
      BinaryType -> Seq(Array[Byte](1), Array[Byte](-1)))
    for ((dataType, values) <- types) withClue(dataType) {
      val column = CutColumn("c", dataType)
      val sample = Sample(IndexedSeq(column), values.map(Array(_)).toIndexedSeq)
      val cut =
        new SizeDrivenBuilder().build(TreeRequest(sample, Map("c" -> 1.0), 2)).cuts.head
      for (value <- values :+ cut.value) {
        val text = Orderable.write(dataType, value).get
        assert(column.ordering.equiv(Orderable.read(dataType, text), value), text)
      }
    }
  }

  test("a text that the log cannot hold is no cut, and one beside it is") {
    val broken = UTF8String.fromBytes(Array[Byte](-1, -2))
    def cuts(values: UTF8String*) = {
      val sample =
        Sample(IndexedSeq(CutColumn("s", StringType)), values.map(Array[Any](_)).toIndexedSeq)
      for (builder <- Seq(PublishedBuilder, new SizeDrivenBuilder()))
        yield builder.build(TreeRequest(sample, Map("s" -> 1.0), 2)).cuts.map(_.value)
    }
    val text = UTF8String.fromString("a")
    assert(cuts(broken, broken, UTF8String.fromBytes(Array[Byte](-1, -1))).forall(_.isEmpty))
    assert(cuts(text, broken).forall(_ == Seq(text)))
  }

  test("types without an order of their own are not cut") {
    for (carried <- Seq(ArrayType(IntegerType), MapType(IntegerType, IntegerType),
        StructType.fromDDL("a INT"), StringType("UTF8_LCASE"), CalendarIntervalType))
      assert(!Orderable(carried), carried)
    assert(intercept[IllegalArgumentException](CutColumn("c", ArrayType(IntegerType)))
        .getMessage.contains("ARRAY<INT>"))
    val broken = UTF8String.fromBytes(Array[Byte](-1, -2))
    assert(Orderable.write(StringType, broken).isEmpty)
  }

  private def Decimal(text: String, precision: Int, scale: Int): Decimal =
    org.apache.spark.sql.types.Decimal(new java.math.BigDecimal(text), precision, scale)

  // Two dates that go together, and two columns that stand alone.
  private val shipments = {
    val random = new scala.util.Random(7)
    val days = Seq.fill(4000)(random.nextInt(1000))
    ints("key" -> Seq.fill(4000)(random.nextInt(100000)),
      "price" -> Seq.fill(4000)(random.nextInt(5000)), "shipped" -> days,
      "received" -> days.map(_ + random.nextInt(20)))
  }

  test("a cut of one date narrows the other one too, a cut of a key only the key") {
    val narrowing = new Narrowing(shipments)
    assert(narrowing.of("shipped").keySet == Set("shipped", "received"))
    assert(narrowing.of("key").keySet == Set("key"))
    assert(math.abs(narrowing.of("shipped")("received") - 0.48) < 0.02)
    val span = narrowing.span("received", Seq("shipped", "price", "received"))
    assert(math.abs(span - 0.26) < 0.02)
    assert(narrowing.span("key", Seq("shipped", "price")) == 1.0)
  }

  test("size-driven: the column that tells of another is the root, and both are charged for it") {
    val tree = new SizeDrivenBuilder().build(TreeRequest(shipments, alike(shipments), leaves = 8))
    assert(Set("shipped", "received").contains(tree.cuts.head.column))
    // What the dates have in common is cut once; left to themselves they would be cut twice.
    assert(tree.cuts.map(_.column).toSet.size == 3)
    val apart = PublishedBuilder.build(TreeRequest(shipments, alike(shipments), leaves = 8))
    assert(apart.cuts.map(_.column).toSet.size == 4)
  }

  test("size-driven: what the upper levels cut of a column is not cut again before the others") {
    val random = new scala.util.Random(3)
    val keys = Seq.fill(4000)(random.nextInt(100000))
    val sample = ints("key" -> keys, "made" -> keys.map(_ / 100),
      "price" -> Seq.fill(4000)(random.nextInt(5000)))
    val tree = new TwoPhaseBuilder(Seq("key"), levels = Some(2), rows = 100)
      .build(TreeRequest(sample, alike(sample), leaves = 8))
    assert(tree.cuts.map(_.column).toSet == Set("key", "price"))
  }

  test("columns are compared only where a cut is wanted") {
    // Values that cannot be compared, so that whoever does fails.
    val sample = Sample(IndexedSeq(CutColumn("a", IntegerType), CutColumn("b", IntegerType)),
      IndexedSeq.fill(10)(Array[Any]("no", "number")))
    def build(leaves: Int) =
      new SizeDrivenBuilder().build(TreeRequest(sample, alike(sample), leaves))
    assert(build(leaves = 1) == Leaf(0))
    intercept[ClassCastException](build(leaves = 2))
  }

  test("of thousands of columns the heaviest are compared, and each may be cut") {
    val columns = (0 until 1000).map(i => s"c$i" -> Seq.fill(50)(i)) :+ ("last" -> (1 to 50))
    val sample = ints(columns: _*)
    val tree = new SizeDrivenBuilder().build(TreeRequest(sample, alike(sample), leaves = 4))
    assert(tree.leaves.length == 4 && tree.cuts.forall(_.column == "last"))
    val heavy = alike(sample) + ("c7" -> 2.0)
    assert(new Savings(sample, heavy, Seq(new Growing(sample.rows.indices)), 4)
      .order(new Growing(sample.rows.indices)).length == 1001)
  }

  test("a text that was shortened is cut above all that begin with it") {
    def text(s: String): Any = UTF8String.fromString(s)
    val (low, high) = ("a" * Prefix.Length, "b" * Prefix.Length)
    val sample = Sample(IndexedSeq(CutColumn("s", StringType)),
      (Seq.fill(6)(low) ++ Seq.fill(5)(high)).map(s => Array[Any](text(s))).toIndexedSeq,
      longest = Prefix.Length)
    val parted = sample.cuts(sample.rows.indices, "s").head
    assert((parted.left.length, parted.right.length) == (6, 5) && !parted.cut.inclusive)
    val ordering = Orderable.ordering(StringType)
    assert(parted.cut.goesLeft(text(low + "zzz"), ordering))
    assert(!parted.cut.goesLeft(text(high), ordering))
  }

  test("a column that cannot be cut narrows nothing, and NULL is a value like others") {
    val narrowing = new Narrowing(ints("one" -> Seq.fill(100)(1),
      "some" -> (1 to 100).map(i => if (i % 2 == 0) null else i)))
    assert(narrowing.of("one").isEmpty && narrowing.of("some").keySet == Set("some"))
  }
}
