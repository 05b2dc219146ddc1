package io.colocate.tables.tree

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable

/** Round values, and what tables that are cut at them have in common. */
class RoundValueSuite extends AnyFunSuite {

  private def zeros(value: Long): Int = java.lang.Long.numberOfTrailingZeros(value)

  test("the value that ends in most zeros, of all in the interval") {
    for (above <- -40L to 40L; upTo <- above + 1 to 41L) {
      val found = RoundValue(above, upTo).get.asInstanceOf[Long]
      assert(found > above && found <= upTo, s"($above, $upTo]")
      assert(
        (above + 1 to upTo).forall(v => v == found || zeros(v) < zeros(found)), s"($above, $upTo]")
    }
  }

  test("from the least to the greatest number") {
    val ends = Seq(Long.MinValue, Long.MinValue + 1, -1L, 0L, 1L, Long.MaxValue - 1, Long.MaxValue)
    for (above <- ends; upTo <- ends if above < upTo) {
      val found = RoundValue(above, upTo).get.asInstanceOf[Long]
      assert(found > above && found <= upTo, s"($above, $upTo]")
    }
  }

  test("whole numbers of all sizes and decimals have one, floating-point numbers none") {
    assert(RoundValue(9, 19).contains(16) && RoundValue(-3, 5).contains(0))
    assert(RoundValue(9.toShort, 19.toShort).contains(16.toShort))
    assert(RoundValue(9.toByte, 19.toByte).contains(16.toByte))
    assert(RoundValue(Decimal(9, 12, 2), Decimal(19, 12, 2)).contains(Decimal(16, 12, 2)))
    val Seq(above, upTo) = Seq("-5000000000000000000000.01", "-3000000000000000000000.07")
      .map(text => Decimal(BigDecimal(text), 38, 2))
    val found = RoundValue(above, upTo).get.asInstanceOf[Decimal]
    assert(found > above && found <= upTo && (found.precision, found.scale) == ((38, 2)))
    assert(found.toJavaBigDecimal.unscaledValue.getLowestSetBit == 78)
    assert(RoundValue(9.0, 19.0).isEmpty && RoundValue(9.0f, 19.0f).isEmpty)
    assert(RoundValue(false, true).isEmpty)
  }

  test("the shortest of texts, none where that would be no text") {
    def round(above: String, upTo: String) =
      RoundValue(UTF8String.fromString(above), UTF8String.fromString(upTo)).map(_.toString)
    assert(round("order-17", "order-71").contains("order-4"))
    assert(round("order-20", "order-68").contains("order-4"))
    assert(round("order", "order-68").contains("order ") && round("", "x").contains("@"))
    assert(round("a", "a\u0000").contains("a\u0000") && round("", "\u0000").contains("\u0000"))
    assert(round("\u00e4", "\u00f6").contains("\u00f0"))
    assert(round("a", "\u00f6").isEmpty && round("\u00f6", "\u4e00").isEmpty)
  }

  test("of all texts and bytes it lies in the interval") {
    val random = new Random(5)
    for (_ <- 1 to 1000) {
      val bytes = Seq.fill(2)(Array.fill(random.nextInt(4))(random.nextInt().toByte))
      val Seq(above, upTo) = bytes.sorted(Orderable.ordering(BinaryType))
      if (!above.sameElements(upTo)) {
        val found = RoundValue(above, upTo).get.asInstanceOf[Array[Byte]]
        val order = Orderable.ordering(BinaryType)
        assert(order.lt(above, found) && order.lteq(found, upTo) && found.length <= upTo.length)
      }
    }
  }

  /** Keys that a table might have been sampled at, of all the seeds the same ones. */
  private def tree(seed: Int, key: Int => Any, dataType: DataType, round: Boolean): Node = {
    val random = new Random(seed)
    val rows = IndexedSeq.fill(20000)(Array(key(random.nextInt(60000000))))
    val sample = Sample(IndexedSeq(CutColumn("k", dataType)), rows)
    val request = TreeRequest(sample, Map("k" -> 1.0), leaves = 16)
    if (round) new TwoPhaseBuilder(Seq("k"), levels = Some(4), rows = 1).build(request)
    else new SizeDrivenBuilder().build(request)
  }

  private def common(key: Int => Any, dataType: DataType, round: Boolean = true): Int = {
    val Seq(ones, others) = Seq(1, 2).map(tree(_, key, dataType, round).cuts.map(_.value).toSet)
    assert(ones.size == 15 && others.size == 15)
    ones.intersect(others).size
  }

  test("two tables by samples of their own have most cuts in common, at medians none") {
    assert(common(_.toLong, LongType) >= 12)
    assert(common(identity, IntegerType) >= 12)
    assert(common(_.toLong, LongType, round = false) == 0)
    assert(common(i => UTF8String.fromString(f"$i%08d"), StringType) >= 12)
    assert(common(i => Decimal(BigDecimal(i) * 1000000007, 38, 0), DecimalType(38, 0)) >= 12)
    assert(common(_.toDouble, DoubleType) == 0)
  }

  test("ranges hold alike many rows still") {
    val random = new Random(3)
    val rows = IndexedSeq.fill(20000)(Array[Any](random.nextInt(60000000)))
    val sample = Sample(IndexedSeq(CutColumn("k", IntegerType)), rows)
    val built = new TwoPhaseBuilder(Seq("k"), levels = Some(5), rows = 1)
      .build(TreeRequest(sample, Map("k" -> 1.0), leaves = 32))
    def sizes(node: Node, of: IndexedSeq[Int]): Seq[Int] = node match {
      case Leaf(_) => Seq(of.length)
      case Split(cut, left, right) =>
        val parted = sample.parted(of, cut)
        sizes(left, parted.left) ++ sizes(right, parted.right)
    }
    val all = sizes(built, rows.indices)
    assert(all.length == 32 && all.max < 2 * all.sum / 32, all)
  }

  test("where most rows have one value, and where all have, cuts are as ever") {
    def cuts(values: Seq[Any]) = {
      val sample =
        Sample(IndexedSeq(CutColumn("k", IntegerType)), values.map(Array(_)).toIndexedSeq)
      new TwoPhaseBuilder(Seq("k"), levels = Some(1), rows = 1)
        .build(TreeRequest(sample, Map("k" -> 1.0), leaves = 2)).cuts.map(_.toString)
    }
    assert(cuts(Seq.fill(80)(7) ++ (8 to 27)) == Seq("k <= 7"))
    assert(cuts(Seq.fill(50)(7)).isEmpty && cuts(Seq.fill(9)(null)).isEmpty && cuts(Nil).isEmpty)
    assert(cuts((1 to 100) ++ Seq.fill(9)(null)) == Seq("k < 64"))
  }
}
