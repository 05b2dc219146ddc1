package io.colocate.facts.joins

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.types.BooleanType

/**
 * The table of joins, against a join written by hand: every line is held for all inputs of up to two rows with
 * the keys NULL, 1 and 2.
 */
class JoinSemanticsSuite extends AnyFunSuite {

  /** A row is its key. */
  private type Row = Option[Int]

  /** A row of a join; a side is None where it is filled with NULL, or does not come out. */
  private case class Joined(left: Option[Row], right: Option[Row], exists: Boolean = false) {
    def of(side: Side): Option[Row] = if (side == Side.Left) left else right
  }

  private val sides = Seq(Side.Left, Side.Right)

  private val joins: Seq[JoinType] = Seq(Inner, Cross, LeftOuter, RightOuter, FullOuter, LeftSemi,
    LeftAnti, ExistenceJoin(AttributeReference("exists", BooleanType)()))

  private val inputs: Seq[Seq[Row]] = {
    val rows = Seq(None, Some(1), Some(2))
    Seq(Nil) ++ rows.map(Seq(_)) ++ (for (a <- rows; b <- rows) yield Seq(a, b))
  }

  private val cases = for (l <- inputs; r <- inputs) yield (l, r)

  private def matches(a: Row, b: Row): Boolean = a.isDefined && a == b

  private def join(joinType: JoinType, left: Seq[Row], right: Seq[Row]): Seq[Joined] = {
    val pairs = for (l <- left; r <- right if matches(l, r)) yield Joined(Some(l), Some(r))
    def alone(l: Row) = !right.exists(matches(l, _))
    val onlyLeft = left.filter(alone).map(l => Joined(Some(l), None))
    val onlyRight = right.filterNot(r => left.exists(matches(_, r))).map(r => Joined(None, Some(r)))
    joinType match {
      case _: InnerLike => pairs
      case LeftOuter => pairs ++ onlyLeft
      case RightOuter => pairs ++ onlyRight
      case FullOuter => pairs ++ onlyLeft ++ onlyRight
      case LeftSemi => left.filterNot(alone).map(l => Joined(Some(l), None))
      case LeftAnti => onlyLeft
      case _ => left.map(l => Joined(Some(l), None, exists = !alone(l)))
    }
  }

  private def joined(joinType: JoinType, side: Side, own: Seq[Row], other: Seq[Row]): Seq[Joined] =
    if (side == Side.Left) join(joinType, own, other) else join(joinType, other, own)

  private def sameBag(a: Seq[Joined], b: Seq[Joined]): Boolean =
    a.diff(b).isEmpty && b.diff(a).isEmpty

  /** What of a side comes out for all inputs. */
  private def always(joinType: JoinType, side: Side)(
      holds: (Seq[Row], Seq[Row], Seq[Joined]) => Boolean): Boolean =
    cases.forall { case (own, other) => holds(own, other, joined(joinType, side, own, other)) }

  for (joinType <- joins; side <- sides) {
    val name = s"${JoinSemantics.name(joinType)}, $side"

    test(s"$name: which rows come out") {
      assert(JoinSemantics.known(joinType))
      assert(JoinSemantics.keepsUnmatched(joinType, side) == always(joinType, side) {
        (own, other, out) =>
          own.filterNot(row => other.exists(matches(row, _))).forall(row =>
            out.exists(_.of(side).contains(row)))
      })
      assert(JoinSemantics.keepsEachRow(joinType, side) == always(joinType, side) { (own, _, out) =>
        own.forall(row => out.exists(_.of(side).contains(row)))
      })
    }

    test(s"$name: what is NULL") {
      val comesOut = !JoinSemantics.givesLeft(joinType) || side == Side.Left
      assert(comesOut == !always(joinType, side)((_, _, out) => out.forall(_.of(side).isEmpty)))
      val filled = !always(joinType, side)((_, _, out) => out.forall(_.of(side).isDefined))
      assert(JoinSemantics.fillsWithNulls(joinType, side) == (filled && comesOut))
      assert(JoinSemantics.dropsNulls(joinType) ==
        sides.forall(always(joinType, _)((_, _, out) =>
            out.forall(row => !row.left.contains(None) && !row.right.contains(None)))))
    }

    test(s"$name: what may be done with one part of its rows after the other") {
      val rowByRow = always(joinType, side) { (own, other, out) =>
        (0 to own.length).forall { n =>
          val (a, b) = own.splitAt(n)
          sameBag(out, joined(joinType, side, a, other) ++ joined(joinType, side, b, other))
        }
      }
      assert(JoinSemantics.groupable(joinType).contains(side) == rowByRow)
      if (JoinSemantics.splittable(joinType).contains(side)) assert(rowByRow)
      val passes = always(joinType, side) { (own, other, out) =>
        sameBag(out.filter(_.of(side).contains(Some(1))),
          joined(joinType, side, own.filter(_.contains(1)), other))
      }
      if (JoinSemantics.filterPasses(joinType, side)) assert(passes)
      if (JoinSemantics.fillsWithNulls(joinType, side)) assert(!passes)
    }
  }

  test("only of inner joins does each row that comes out meet the condition") {
    for (joinType <- joins)
      assert(JoinSemantics.pairsOnly(joinType) == always(joinType, Side.Left)((_, _, out) =>
        out.forall(row => row.left.isDefined && row.right.isDefined)))
  }

  test("Spark splits no side of an existence join, and nothing is known of a join without a line") {
    val existence = joins.last
    assert(JoinSemantics.groupable(existence) == Seq(Side.Left))
    assert(JoinSemantics.splittable(existence).isEmpty)
    assert(!JoinSemantics.known(LeftSingle))
    for (side <- sides) {
      assert(!JoinSemantics.keepsUnmatched(LeftSingle, side))
      assert(!JoinSemantics.filterPasses(LeftSingle, side))
    }
  }

  test("a side is a child of the join") {
    for (side <- sides) {
      assert(Side.of(side.child) == side)
      assert(side.other.other == side && side.other != side)
    }
  }
}
