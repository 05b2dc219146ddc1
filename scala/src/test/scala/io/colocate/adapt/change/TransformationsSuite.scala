package io.colocate.adapt.change

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.tree.{Cut, CutColumn, Leaf, Node, RobustTree, Sample, Split}

/** Random trees over random rows of every type that can be cut: where rows lie after a transformation. */
class TransformationsSuite extends AnyFunSuite {

  private val types: IndexedSeq[DataType] = IndexedSeq(BooleanType, ByteType, ShortType,
    IntegerType, LongType, FloatType, DoubleType, DecimalType(10, 2), DateType, TimestampType,
    TimestampNTZType, BinaryType, StringType)

  /** Few values, so that many are equal, and NULL. */
  private def value(dataType: DataType, random: Random): Any = dataType match {
    case _ if random.nextInt(6) == 0 => null
    case _ => present(dataType, random)
  }

  private def present(dataType: DataType, random: Random): Any = {
    val n = random.nextInt(7) - 3
    dataType match {
      case BooleanType => n > 0
      case ByteType => n.toByte
      case ShortType => n.toShort
      case IntegerType | DateType => n
      case LongType | TimestampType | TimestampNTZType => n.toLong
      case FloatType => Seq(n.toFloat, -0.0f, Float.NaN, Float.NegativeInfinity)(random.nextInt(4))
      case DoubleType =>
        Seq(n.toDouble, -0.0, Double.NaN, Double.PositiveInfinity)(random.nextInt(4))
      case _: DecimalType => Decimal(BigDecimal(n) / 4, 10, 2)
      case BinaryType => Array.fill(n.abs)(n.toByte)
      case _ => UTF8String.fromString("ab" * n.abs)
    }
  }

  private def isNaN(value: Any) = value match {
    case d: Double => d.isNaN
    case f: Float => f.isNaN
    case _ => false
  }

  private def cut(column: CutColumn, random: Random): Cut = Cut(column.name, column.dataType,
    Iterator.continually(present(column.dataType, random)).find(!isNaN(_)).get,
    random.nextBoolean(), random.nextBoolean())

  private def tree(columns: IndexedSeq[CutColumn], depth: Int, random: Random): Node =
    if (depth == 0 || random.nextInt(5) == 0) Leaf(Leaf.NoId)
    else
      Split(cut(columns(random.nextInt(columns.length)), random), tree(columns, depth - 1, random),
        tree(columns, depth - 1, random))

  /** The leaf of each row. */
  private def leaves(sample: Sample, node: Node): IndexedSeq[Int] = sample.rows.map { row =>
    def visit(node: Node): Int = node match {
      case Leaf(id) => id
      case Split(cut, left, right) =>
        val at = sample.ordinal(cut.column)
        visit(if (cut.goesLeft(row(at), sample.columns(at).ordering)) left else right)
    }
    visit(node)
  }

  /** Runs `check` on many trees with a split at the root, over rows of two or three columns. */
  private def many(check: (Sample, Split, Random) => Unit): Unit = for (seed <- 0 until 3000) {
    val random = new Random(seed)
    val columns = IndexedSeq.tabulate(2 + seed % 2)(i =>
      CutColumn(s"c$i", types((seed + i * 5) % types.length)))
    val sample =
      Sample(columns, IndexedSeq.fill(40)(columns.map(c => value(c.dataType, random)).toArray))
    RobustTree(0, Leaf(-7)).withRoot(tree(columns, 4, random)).root match {
      case split: Split => check(sample, split, random)
      case _ =>
    }
  }

  test("pushup and rotate move no row") {
    var (up, turned) = (0, 0)
    many { (sample, node, random) =>
      val below = Split(node.cut, node.left, node.right)
      val other = cut(sample.columns(random.nextInt(sample.columns.length)), random)
      val same = RobustTree(0, Leaf(-7)).withRoot(Split(node.cut,
        Split(other, Leaf(Leaf.NoId), Leaf(Leaf.NoId)),
        Split(other, Leaf(Leaf.NoId), Leaf(Leaf.NoId)))).root
      for (tree <- Seq(below, same.asInstanceOf[Split])) {
        Transformations.pushup(tree).foreach { moved =>
          up += 1
          assert(leaves(sample, moved) == leaves(sample, tree))
        }
        Transformations.rotate(tree).foreach { moved =>
          turned += 1
          assert(leaves(sample, moved) == leaves(sample, tree), s"$tree became $moved")
        }
      }
    }
    assert(up > 500 && turned > 500)
  }

  test("a swap gives each row one leaf, and leaves that are kept keep their rows") {
    many { (sample, node, random) =>
      val by = cut(sample.columns(random.nextInt(sample.columns.length)), random)
      val before = RobustTree(0, node)
      val after = before.withRoot(Transformations.swap(node, by))
      val kept = after.leafIds.toSet.intersect(before.leafIds.toSet)
      assert(after.leafIds.distinct.length == after.leafIds.length)
      assert(after.leafIds.filterNot(kept).forall(_ > before.leafIds.max))
      leaves(sample, node).zip(leaves(sample, after.root)).foreach { case (was, is) =>
        assert(!kept(was) || was == is)
      }
    }
  }

  test("each row gets one leaf by ranks as by its value") {
    many { (sample, node, _) =>
      val schema = StructType(sample.columns.map(c => StructField(c.name, c.dataType)))
      val ranks = new io.colocate.adapt.cost.SampleRanks(sample, schema)
      val all = sample.rows.indices
      assert(ranks.parted(all, node.cut) == sample.parted(all, node.cut))
    }
  }
}
