package io.colocate.tables.pruning

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.tree.{Cut, Leaf, RobustTree, Split}

/**
 * The leaves that a predicate may touch, on a tree drawn by hand.
 *
 * {{{
 *   build/sbt "scala/testOnly *TreePruningSuite"
 * }}}
 */
class TreePruningSuite extends AnyFunSuite with ReadTestBase {

  /**
   * {{{
   *                   i <= 10 (NULL left)
   *                  /                   \
   *       s < 'm' (NULL right)          i <= 20 (NULL left)
   *         /          \                 /          \
   *      leaf 0      leaf 1          leaf 2      d < NaN (NULL left)
   *                                                 /      \
   *                                             leaf 3    leaf 4
   * }}}
   */
  private val tree = RobustTree(1,
    Split(Cut("i", IntegerType, 10, inclusive = true, nullsLeft = true),
      Split(Cut("s", StringType, UTF8String.fromString("m"), inclusive = false, nullsLeft = false),
        Leaf(0), Leaf(1)),
      Split(Cut("i", IntegerType, 20, inclusive = true, nullsLeft = true), Leaf(2),
        Split(Cut("d", DoubleType, Double.NaN, inclusive = false, nullsLeft = true), Leaf(3),
          Leaf(4)))))

  private val (i, s, d) = (col("i"), col("s"), col("d"))

  private def touched(predicates: Expression*): Seq[Int] =
    new TreePruning(schema).touched(tree, conjuncts(predicates: _*))

  test("an inclusive cut and its neighbours") {
    assert(touched(EqualTo(i, lit(10))) == Seq(0, 1))
    assert(touched(EqualTo(i, lit(11))) == Seq(2))
    assert(touched(GreaterThan(i, lit(10))) == Seq(2, 3, 4))
    assert(touched(GreaterThanOrEqual(i, lit(10))) == Seq(0, 1, 2, 3, 4))
    assert(touched(LessThanOrEqual(i, lit(10))) == Seq(0, 1))
    assert(touched(In(i, Seq(lit(5), lit(20)))) == Seq(0, 1, 2))
  }

  test("a cut that is not inclusive") {
    assert(touched(LessThan(s, lit("m"))) == Seq(0, 2, 3, 4))
    assert(touched(EqualTo(s, lit("m"))) == Seq(1, 2, 3, 4))
    assert(touched(StartsWith(s, lit("lz"))) == Seq(0, 2, 3, 4))
  }

  test("NULL is where the cuts send it") {
    assert(touched(IsNull(i)) == Seq(0, 1))
    assert(touched(IsNull(s)) == Seq(1, 2, 3, 4))
    assert(touched(IsNotNull(s)) == Seq(0, 1, 2, 3, 4))
    assert(touched(IsNull(d)) == Seq(0, 1, 2, 3))
  }

  test("a cut at NaN") {
    assert(touched(EqualTo(d, lit(Double.NaN))) == Seq(0, 1, 2, 4))
    assert(touched(LessThan(d, lit(Double.PositiveInfinity))) == Seq(0, 1, 2, 3))
    assert(touched(IsNaN(d), GreaterThan(i, lit(20))) == Seq(4))
  }

  test("several conjuncts, and OR over columns") {
    assert(touched(EqualTo(i, lit(3)), GreaterThan(s, lit("n"))) == Seq(1))
    assert(touched(Or(EqualTo(i, lit(15)), And(LessThan(i, lit(5)), LessThan(s, lit("a"))))) ==
      Seq(0, 2))
    assert(touched(EqualTo(i, lit(15)), EqualTo(i, lit(5))) == Nil)
  }

  test("a cast is looked through") {
    assert(touched(GreaterThan(Cast(i, LongType), lit(19L))) == Seq(2, 3, 4))
    assert(touched(GreaterThan(Cast(i, LongType), lit(20L))) == Seq(3, 4))
  }

  test("what is not understood, and columns that are not cut, touch all leaves") {
    val all = Seq(0, 1, 2, 3, 4)
    assert(touched() == all)
    assert(touched(EqualTo(Upper(s), lit("A"))) == all)
    assert(touched(EqualTo(col("j"), lit(1))) == all)
  }

  test("a cut of a column that the schema does not have, or has otherwise, says nothing") {
    def one(column: String, dataType: DataType, value: Any) =
      RobustTree(1,
        Split(Cut(column, dataType, value, inclusive = true, nullsLeft = true), Leaf(0), Leaf(1)))
    val five = conjuncts(EqualTo(i, lit(5)))
    val pruning = new TreePruning(schema)
    assert(pruning.touched(one("i", IntegerType, 5), five) == Seq(0))
    assert(pruning.touched(one("gone", IntegerType, 5), five) == Seq(0, 1))
    assert(pruning.touched(one("i", LongType, 5L), five) == Seq(0, 1))
  }

  test("cuts that contradict each other leave nothing between them") {
    val empty = Split(Cut("i", IntegerType, 3, inclusive = true, nullsLeft = true), Leaf(0),
      Split(Cut("i", IntegerType, 3, inclusive = true, nullsLeft = false), Leaf(1), Leaf(2)))
    val any = conjuncts(LessThan(i, lit(100)))
    assert(new TreePruning(schema).touched(RobustTree(1, empty), any) == Seq(0, 2))
  }
}
