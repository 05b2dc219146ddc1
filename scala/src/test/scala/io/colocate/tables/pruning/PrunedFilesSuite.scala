package io.colocate.tables.pruning

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.tree.{Cut, Leaf, Node, RobustTree, Split}

/**
 * What is reported of each conjunct, and how long many files take.
 *
 * {{{
 *   build/sbt "scala/testOnly *PrunedFilesSuite"
 * }}}
 */
class PrunedFilesSuite extends AnyFunSuite with ReadTestBase {

  private val (i, j, s) = (col("i"), col("j"), col("s"))
  private val files = Seq(file("i" -> Seq(1, 2), "j" -> Seq(1, 1)), file(),
    file("i" -> Seq(3), "j" -> Seq(5)), file("i" -> Seq(2, 3, 4), "j" -> Seq(null, null, null)))

  private def why(predicates: Expression*): Seq[Option[WhyKept]] =
    prune(files, predicates: _*).conjuncts.map(_.whyKept)

  test("each conjunct is told what it prunes alone, empty files go by themselves") {
    val found = prune(files, And(GreaterThan(i, lit(2)), IsNotNull(j)))
    assert(found.kept == Seq(2) && found.keptRows == 1 && found.files == 4 && found.rows == 6)
    assert(found.conjuncts.map(c => (c.prunedFiles, c.prunedRows)) == Seq(1 -> 2L, 1 -> 3L))
    assert(found.conjuncts.forall(_.whyKept.isEmpty))
    assert(prune(files).kept == Seq(0, 2, 3))
  }

  test("a conjunct that prunes nothing says why") {
    assert(why(GreaterThan(i, lit(0))) == Seq(Some(WhyKept.NoneRuledOut)))
    assert(why(EqualTo(Upper(s), lit("A"))) == Seq(Some(WhyKept.NotSupported("upper"))))
    assert(why(LessThan(Rand(1L), lit(0.5))) == Seq(Some(WhyKept.NotDeterministic)))
    assert(why(EqualTo(Cast(s, IntegerType), lit(1))) ==
      Seq(Some(WhyKept.Reorders(StringType, IntegerType))))
    val lcase = StringType("UTF8_LCASE")
    assert(why(EqualTo(col("lcase"), Literal.create("b", lcase))) ==
      Seq(Some(WhyKept.NotOrdered(lcase))))
    assert(why(EqualTo(AttributeReference("_part", IntegerType)(), lit(1))) ==
      Seq(Some(WhyKept.Unknown("_part"))))
    assert(why(EqualTo(col("day"), CurrentDate(Some("UTC")))) == Seq(Some(WhyKept.KnownAtRunTime)))
    assert(why(EqualTo(i, Cast(lit("x"), IntegerType))) == Seq(Some(WhyKept.RaisesError)))
  }

  test("a column of the same name that is not the files' own is not taken for it") {
    val notOurs = Some(WhyKept.Unknown("i"))
    val hidden =
      AttributeReference("i", IntegerType, metadata = FileSourceMetadataAttribute.metadata("i"))()
    assert(why(EqualTo(AttributeReference("i", LongType)(), lit(100L))) == Seq(notOurs))
    assert(why(EqualTo(hidden, lit(100))) == Seq(notOurs))
    assert(why(EqualTo(i, lit(100))) == Seq(None))
  }

  test("part of an OR that is not understood is named") {
    assert(why(Or(EqualTo(i, lit(100)), EqualTo(Upper(s), lit("A")))) ==
      Seq(Some(WhyKept.NotSupported("upper"))))
  }

  private val blind = ColumnStat(-1, -1, null, null)

  test("columns without statistics and cuts are told from those that only did not help") {
    val unknown = files.map(f => f.copy(stats = f.stats.map(_ => blind)))
    assert(prune(unknown, EqualTo(i, lit(100))).conjuncts.map(_.whyKept) ==
      Seq(Some(WhyKept.NoStatistics)))
    val tree = RobustTree(3,
      Split(Cut("i", IntegerType, 3, inclusive = true, nullsLeft = true), Leaf(0), Leaf(1)))
    val routed = TestFiles(schema, unknown.map(_.copy(tree = 3, leaf = 0)).toIndexedSeq)
    def whyRouted(value: Int) =
      PrunedFiles(routed, Map(3 -> tree).get, conjuncts(EqualTo(i, lit(value))))
    assert(whyRouted(2).conjuncts.map(_.whyKept) == Seq(Some(WhyKept.NoneRuledOut)))
    assert(whyRouted(4).kept.isEmpty)
    assert(PrunedFiles(routed, _ => None, conjuncts(EqualTo(i, lit(4)))).kept.length == 3)
  }

  test("a column added later is NULL in older files, or its default") {
    val older = files.head.copy(stats = files.head.stats.map(_.copy(held = false)))
    assert(pruned(older, EqualTo(i, lit(1))) && !pruned(older, IsNull(i)))
    val default = new MetadataBuilder().putString(FileRows.ExistenceDefault, "1").build()
    val withDefault = StructType(schema.map(_.copy(metadata = default)))
    val found = PrunedFiles(TestFiles(withDefault, IndexedSeq(older)), _ => None,
      conjuncts(EqualTo(i, lit(1))))
    assert(found.kept == Seq(0))
  }

  test("every sentence can stand alone") {
    val all = Seq(WhyKept.NotDeterministic, WhyKept.KnownAtRunTime, WhyKept.RaisesError,
      WhyKept.BehindError, WhyKept.NoStatistics, WhyKept.NoneRuledOut,
      WhyKept.NotSupported("upper"), WhyKept.NotOrdered(ArrayType(IntegerType)),
      WhyKept.Reorders(StringType, IntegerType), WhyKept.Unknown("x"))
    assert(all.map(_.reason.sentence).forall(_.length > 10))
    assert(WhyKept.Reorders(StringType, IntegerType).reason.sentence ==
      "the cast of STRING to INT does not keep the order of values")
  }

  test("100000 files and ten predicates") {
    val many = new ManyFiles(100000)
    val tree = RobustTree(0, many.tree(0, many.length - 1))
    val ten = Seq(LessThan(i, lit(500)), GreaterThanOrEqual(i, lit(70000)), EqualTo(j, lit(17)),
      In(i, Seq(lit(1), lit(50000), lit(99999))), StartsWith(s, lit("name-123")),
      Not(EqualTo(j, lit(3))), IsNotNull(s), LessThan(Cast(i, LongType), lit(90000L)),
      Or(EqualTo(j, lit(5)), GreaterThan(i, lit(1000))), GreaterThan(i, j))
    for (trees <- Seq[Int => Option[RobustTree]](_ => None, _ => Some(tree)); p <- ten) {
      val found = PrunedFiles(many, trees, conjuncts(p))
      assert(found.files == 100000 && found.kept.length <= 100000, p)
    }
    val few = PrunedFiles(many, _ => Some(tree), conjuncts(ten.take(2): _*))
    assert(few.kept.isEmpty, "no file is both below 500 and above 70000")
  }

  /** As many files as rows would be: file n holds n in `i`. */
  final private class ManyFiles(override val length: Int) extends FileStats {
    private val lowest = Array.tabulate[Any](length)(identity)
    private val names = Array.tabulate[Any](length)(n => UTF8String.fromString(s"name-$n"))

    def tree(from: Int, to: Int): Node =
      if (from == to) Leaf(from)
      else {
        val middle = (from + to) / 2
        Split(Cut("i", IntegerType, middle, inclusive = true, nullsLeft = true), tree(from, middle),
          tree(middle + 1, to))
      }

    override def schema: StructType = PrunedFilesSuite.this.schema
    override def path(file: Int): String = s"file-$file"
    override def tree(file: Int): Int = 0
    override def leaf(file: Int): Int = file
    override def rows(file: Int): Long = 1000
    override def holds(column: Int, file: Int): Boolean = true
    override def nulls(column: Int, file: Int): Long = 0
    override def nans(column: Int, file: Int): Long = -1
    override def min(column: Int, file: Int): Any =
      if (column == 0) lowest(file) else if (column == 1) lowest(file % 100) else names(file)
    override def max(column: Int, file: Int): Any = min(column, file)
  }
}
