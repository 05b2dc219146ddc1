package io.colocate.tables.format

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.{Metadata => _, _}
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.commit.LogFixture
import io.colocate.tables.tree.{Cut, Leaf, RobustTree, Split}

class ActionJsonSuite extends AnyFunSuite with LogFixture {

  private val types: ActionJson.Types = metadata.types.get

  private def back[A <: Action](action: A, types: ActionJson.Types = types): A =
    ActionJson.read(ActionJson.parse(ActionJson.write(action, types)), types).asInstanceOf[A]

  private def read(text: String): Action =
    ActionJson.read(ActionJson.parse(text.getBytes("UTF-8")), types)

  private val text =
    UTF8String.fromString("") -> UTF8String.fromString("ü\n\r\"\\\u2028\uD834\uDD1E")

  /** The least and the greatest of each type, and what is special in it. */
  private val values: Seq[(DataType, Seq[Any])] = Seq(BooleanType -> Seq(false, true),
    ByteType -> Seq(Byte.MinValue, Byte.MaxValue), ShortType -> Seq(Short.MinValue, Short.MaxValue),
    IntegerType -> Seq(Int.MinValue, Int.MaxValue), LongType -> Seq(Long.MinValue, Long.MaxValue),
    FloatType -> Seq(Float.NegativeInfinity, -0.0f, 0.0f, Float.MinPositiveValue, 0.1f, Float.NaN),
    DoubleType -> Seq(Double.NegativeInfinity, -0.0, 0.0, Double.MinPositiveValue, 0.1, Double.NaN),
    DecimalType(10, 2) -> Seq(decimal("-99999999.99", 10, 2), decimal("0.00", 10, 2)),
    DecimalType(38, 18) -> Seq(decimal("99999999999999999999.999999999999999999", 38, 18)),
    DecimalType(38, 0) -> Seq(decimal("-99999999999999999999999999999999999999", 38, 0)),
    DateType -> Seq(-719162, 0, 2932896), TimestampType -> Seq(-62135596800000000L, 1L),
    TimestampNTZType -> Seq(Long.MinValue, 253402300799999999L),
    StringType -> Seq(text._1, text._2),
    BinaryType -> Seq(Array.emptyByteArray, Array.tabulate(256)(_.toByte)))

  private def decimal(text: String, precision: Int, scale: Int): Decimal =
    Decimal(new java.math.BigDecimal(text), precision, scale)

  /** Equal only if nothing can tell two values apart, which == does not say of -0.0 and NaN. */
  private def exact(value: Any): Any = value match {
    case f: Float => java.lang.Float.floatToRawIntBits(f)
    case d: Double => java.lang.Double.doubleToRawLongBits(d)
    case d: Decimal => (d.toJavaBigDecimal, d.precision, d.scale)
    case bytes: Array[Byte] => bytes.toSeq
    case other => other
  }

  test("every action comes back as it was") {
    val all = Seq(Protocol(1), metadata, TreeAdded(tree),
      TreeAdded(tree.copy(joinKey = Some(Seq("b c", "a")))), TreeRemoved(7),
      file("leaf=1/x.parquet"), file("y", leaf = None, dataChange = false), gone("x"),
      gone("y", dataChange = false), StreamBatch("q \" \n", Long.MaxValue),
      Maintained("SELECT 1", "auto", Map("a" -> "b"), "d1", Map("/t" -> SourceVersion("1", 7))),
      Vacuumed(3, 5), who(),
      CommitInfo("WRITE", Map("b" -> "", "a" -> "ü\n"), Map("rows" -> Long.MaxValue), "me", "it",
        12L, "id"))
    all.foreach(action => assert(back(action) == action))
    // A new kind of action must be added above.
    assert(all.map(_.getClass).distinct.length == ActionJson.names.length)
  }

  for ((dataType, of) <- values) {
    test(s"bounds of ${dataType.sql} come back as they were") {
      for (value <- of) {
        val stats = ColumnStats(Some(value), Some(value), 1, 2, bounded = true)
        val one = file("x").copy(stats = Map("c" -> stats))
        val read = back(one, Map("c" -> dataType).get).stats
        assert(exact(read("c").min.get) == exact(value) && exact(read("c").max.get) == exact(value))
        assert(read("c").copy(min = None, max = None) == stats.copy(min = None, max = None))
      }
    }

    test(s"cuts of ${dataType.sql} come back as they were") {
      for (value <- of; inclusive <- Seq(true, false)) {
        val cut = Cut("a column", dataType, value, inclusive, nullsLeft = !inclusive)
        val tree = RobustTree(3, Split(cut, Leaf(5), Split(cut, Leaf(2), Leaf(9))))
        val read = back(TreeAdded(tree)).tree
        assert(read.leaves == tree.leaves && read.id == 3)
        assert(read.cuts.map(c => exact(c.value)) == tree.cuts.map(c => exact(c.value)))
        assert(read.cuts.map(_.copy(value = 0)) == tree.cuts.map(_.copy(value = 0)))
      }
    }
  }

  test("the bytes of values come back, and were 0 before they were counted") {
    val stats = ColumnStats(Some(1), Some(2), 0, 0, bounded = true, length = 77)
    assert(back(file("x").copy(stats = Map("a" -> stats))).stats("a") == stats)
    assert(!new String(ActionJson.write(file("x"), types), "UTF-8").contains("length"))
  }

  test("no values at all, and no bounds, are told apart") {
    val stats =
      Map("a" -> ColumnStats(None, None, 10, 0, bounded = true), "s" -> ColumnStats.unbounded(4, 0))
    assert(back(file("x").copy(stats = stats)) == file("x").copy(stats = stats))
  }

  test("a bound that is no valid text is none, and a cut at one is refused") {
    val broken = UTF8String.fromBytes(Array(0xff.toByte, 0xfe.toByte))
    val stats = ColumnStats(Some(text._1), Some(broken), 1, 0, bounded = true)
    assert(back(file("x").copy(stats = Map("s" -> stats))) ==
      file("x").copy(stats = Map("s" -> stats.copy(max = None, bounded = false))))
    val both = stats.copy(min = stats.max)
    assert(back(file("x").copy(stats = Map("s" -> both))) ==
      file("x").copy(stats = Map("s" -> ColumnStats.unbounded(1, 0))))
    val cut = Cut("s", StringType, broken, inclusive = true, nullsLeft = true)
    val e = intercept[IllegalArgumentException](ActionJson.write(TreeAdded(RobustTree(0,
      Split(cut, Leaf(0), Leaf(1)))), types))
    assert(e.getMessage.contains("column s"))
  }

  test("a bound of a type without an order is none") {
    val array = ArrayType(IntegerType)
    val stats = ColumnStats(Some("[1]"), Some("[2]"), 1, 0, bounded = true)
    val read =
      back(file("x").copy(stats = Map("c" -> stats)), Map("c" -> array).get).stats
    assert(read("c") == ColumnStats.unbounded(1, 0))
  }

  test("equal actions give equal text") {
    val many = (1 to 20).map(i => s"k$i" -> i.toString)
    def text(options: Map[String, String]) =
      new String(ActionJson.write(metadata.copy(options = options), types), "UTF-8")
    assert(text(many.toMap) == text(many.reverse.toMap))
  }

  test("what is not known is not passed over") {
    def refused(line: String, hint: String): Unit = {
      val e = intercept[IllegalArgumentException](read(line))
      assert(e.getMessage.contains(hint), line)
    }
    refused("""{"treeRemoved":{"id":1,"more":2}}""", "'more'")
    refused("""{"treeRemoved":{}}""", "'id'")
    refused("""{"treeRemoved":{"id":"1"}}""", "whole number")
    refused("""{"treeRemoved":{"id":1.5}}""", "whole number")
    refused("""{"treeRemoved":{"id":3000000000}}""", "whole number")
    refused("""{"treeRemoved":7}""", "an object")
    refused("""{"treeRemoved":{"id":1},"treeAdded":{}}""", "an action")
    refused("""["treeRemoved"]""", "an action")
    refused("""{"protocol":{"formatVersion":1,"features":[]}}""", "'features'")
    assert(intercept[ActionJson.UnknownName](read("""{"rename":{}}""")).name == "rename")
    intercept[java.io.IOException](read("""{"treeRemoved":{"id":1,"id":2}}"""))
    intercept[java.io.IOException](read("""{"treeRemoved":{"id":1}} {}"""))
  }

  test("a format of the future is told as one, whatever else it says") {
    assert(read("""{"protocol":{"formatVersion":2,"features":["x"]}}""") == Protocol(2))
  }
}
