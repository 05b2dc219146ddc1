package io.colocate.hyperjoin.grouping

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.{DoubleType, IntegerType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable
import io.colocate.hyperjoin.grouping.KeyRange.{Empty, Known, Unknown}

/** The sweep, against all pairs. */
class OverlapsSuite extends AnyFunSuite {

  private val ints = Orderable.ordering(IntegerType)

  private def find(
      grouped: Seq[KeyBox],
      probed: Seq[KeyBox],
      orderings: Ordering[Any]*): Seq[Seq[Int]] =
    Overlaps.find(grouped.toIndexedSeq, probed.toIndexedSeq, orderings.toIndexedSeq).get
      .probed.toSeq.map(_.toSeq)

  private def meet(a: KeyRange, b: KeyRange, ordering: Ordering[Any]): Boolean = (a, b) match {
    case (Empty, _) | (_, Empty) => false
    case (Unknown, _) | (_, Unknown) => true
    case (Known(min, max), Known(otherMin, otherMax)) =>
      ordering.lteq(min, otherMax) && ordering.lteq(otherMin, max)
  }

  private def allPairs(grouped: Seq[KeyBox], probed: Seq[KeyBox], orderings: Ordering[Any]*) =
    grouped.map { box =>
      probed.indices.filter { other =>
        orderings.indices.forall { column =>
          meet(box.columns(column), probed(other).columns(column), orderings(column))
        }
      }
    }

  test("the sweep finds what all pairs give, on random blocks of one to three columns") {
    def range(random: Random): KeyRange = random.nextInt(12) match {
      case 0 => Unknown
      case 1 => Empty
      // Few values, so that many are equal.
      case _ =>
        val from = random.nextInt(30)
        Known(from, from + random.nextInt(8))
    }
    for (seed <- 0 until 500) {
      val random = new Random(seed)
      val columns = 1 + random.nextInt(3)
      def boxes = Seq.fill(random.nextInt(40))(KeyBox(Seq.fill(columns)(range(random)): _*))
      val (grouped, probed) = (boxes, boxes)
      val orderings = Seq.fill(columns)(ints)
      assert(find(grouped, probed, orderings: _*) == allPairs(grouped, probed, orderings: _*),
        s"seed $seed")
    }
  }

  test("ranges that touch overlap; NULL alone meets nothing, not even what is unknown") {
    val grouped = Seq(KeyBox(Known(1, 5)), KeyBox(Known(6, 6)), KeyBox(Unknown), KeyBox(Empty))
    val probed = Seq(KeyBox(Known(5, 6)), KeyBox(Known(7, 9)), KeyBox(Empty), KeyBox(Unknown))
    assert(find(grouped, probed, ints) == Seq(Seq(0, 3), Seq(0, 3), Seq(0, 1, 3), Nil))
  }

  test("values are ordered as Spark orders them") {
    val doubles = Orderable.ordering(DoubleType)
    val numbers = Seq(KeyBox(Known(-1.0, -0.0)), KeyBox(Known(5.0, Double.NaN)))
    val others = Seq(KeyBox(Known(0.0, 1.0)), KeyBox(Known(Double.NaN, Double.NaN)))
    assert(find(numbers, others, doubles) == Seq(Seq(0), Seq(1)))

    val texts = Orderable.ordering(StringType)
    def text(min: String, max: String) =
      KeyBox(Known(UTF8String.fromString(min), UTF8String.fromString(max)))
    // By bytes: capitals come before small letters, and these before what is not ASCII.
    assert(find(Seq(text("Z", "b")), Seq(text("A", "Y"), text("a", "é")), texts) == Seq(Seq(1)))
  }

  test("the order is by start, then end, then the next column; blocks without keys come last") {
    val grouped = IndexedSeq(KeyBox(Empty, Known(1, 1)), KeyBox(Known(2, 9), Known(1, 1)),
      KeyBox(Known(2, 3), Known(5, 5)), KeyBox(Known(2, 3), Known(4, 9)),
      KeyBox(Unknown, Known(1, 1)), KeyBox(Known(1, 9), Known(1, 1)))
    val order = Overlaps.find(grouped, IndexedSeq.empty, IndexedSeq(ints, ints)).get.order
    assert(order.toSeq == Seq(4, 5, 3, 2, 1, 0))
  }

  test("gives up on more pairs than wanted") {
    val boxes = IndexedSeq.fill(10)(KeyBox(Known(1, 2)))
    assert(Overlaps.find(boxes, boxes, IndexedSeq(ints), atMost = 100).get.pairs == 100)
    assert(Overlaps.find(boxes, boxes, IndexedSeq(ints), atMost = 99).isEmpty)
  }

  test("10 000 by 10 000 narrow blocks take few comparisons") {
    var comparisons = 0L
    val counting = new Ordering[Any] {
      override def compare(a: Any, b: Any): Int = {
        comparisons += 1
        ints.compare(a, b)
      }
    }
    val random = new Random(1)
    def boxes = random.shuffle(IndexedSeq.tabulate(10000)(i => KeyBox(Known(i * 10, i * 10 + 14))))
    val overlaps = Overlaps.find(boxes, boxes, IndexedSeq(counting)).get
    // Each overlaps itself and both neighbours.
    assert(overlaps.pairs == 3 * 10000 - 2)
    // Sorting 20 000 blocks takes at most 15 comparisons each, of start and end; all pairs are 1e8.
    assert(comparisons < 1000000, comparisons)
  }

  test("blocks are parted where no range goes across") {
    import KeyRange.{Empty, Known, Unknown}
    val ordering = Ordering.Int.asInstanceOf[Ordering[Any]]
    def parts(ranges: KeyRange*) = ConnectedRanges(ranges.toIndexedSeq, ordering).map(_.toSet).toSet
    assert(parts(Known(8, 9), Known(1, 4), Known(3, 6)) == Set(Set(0), Set(1, 2)))
    assert(parts(Known(1, 9), Known(2, 3), Known(4, 5), Known(10, 11)) == Set(Set(0, 1, 2), Set(3)))
    assert(parts(Known(1, 4), Known(4, 6)) == Set(Set(0, 1)))
    assert(parts(Known(1, 4), Empty, Known(5, 6)) == Set(Set(0), Set(1), Set(2)))
    assert(parts(Known(1, 4), Unknown, Known(5, 6)) == Set(Set(0, 1, 2)))
    assert(parts().isEmpty)
  }
}
