package io.colocate.hyperjoin

import org.apache.spark.sql.catalyst.expressions.{Expression, RowOrdering}
import org.apache.spark.sql.catalyst.optimizer.JoinSelectionHelper
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.internal.SQLConf

import io.colocate.ColocateConf
import io.colocate.reason.{Bytes, Reason, ReasonCode}

/**
 * Decides whether two robust tables are joined without a shuffle, and how their files are grouped:
 * from the ranges of the join key in the files that are left after pruning, by what would be read
 * against what would be shuffled (Lu et al., AdaptDB, PVLDB 10(5), 2017).
 *
 * @param slots tasks that run at the same time
 */
final private[hyperjoin] class HyperJoinPlanner(conf: SQLConf, slots: Int)
    extends JoinSelectionHelper {

  import HyperJoinPlanner._

  private val forced = ColocateConf.HyperJoinMode(conf) == "force"
  private val shuffleCost = ColocateConf.HyperJoinShuffleCost(conf)
  private val most = ColocateConf.HyperJoinGroupBytes(conf)

  /** None for a join of anything else than two robust tables; otherwise why not, or how. */
  def apply(join: Join): Option[Either[Reason, HyperJoinChoice]] = join match {
    case ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, _, _, left, right, _) =>
      for (l <- TableSide.of(left); r <- TableSide.of(right))
        yield declined(join).toLeft(()).flatMap { _ =>
          val asked = Asked(joinType, leftKeys.zip(rightKeys), l.plan, r.plan, forced, most,
            shuffleCost, slots)
          remembered(join, asked) {
            choose(joinType, new JoinSides(l, leftKeys, r, rightKeys))
          }
        }
    case _ => None
  }

  /** Adaptive execution plans a join again whenever some other part of the query has run. */
  private def remembered(join: Join, asked: Asked)(
      choose: => Either[Reason, HyperJoinChoice]): Either[Reason, HyperJoinChoice] =
    join.getTagValue(Answered).filter(_._1 == asked) match {
      case Some((_, answer)) => answer
      case None =>
        val answer = choose
        join.setTagValue(Answered, (asked, answer))
        answer
    }

  private def declined(join: Join): Option[Reason] =
    if (!Validity.known(join.joinType))
      Some(Reason(ReasonCode.UnknownJoin, "join" -> Validity.name(join.joinType)))
    else if (!join.hint.isEmpty) Some(Reason(ReasonCode.JoinHint, "hint" -> join.hint.toString))
    else if (!forced && canPlanAsBroadcastHashJoin(join, conf))
      Some(Reason(ReasonCode.BroadcastJoin))
    else None

  private def choose(joinType: JoinType, sides: JoinSides): Either[Reason, HyperJoinChoice] =
    sides.ranged.filter(_ => hashJoinSupported(sides.leftKeys, sides.rightKeys)) match {
      case None =>
        Left(Reason(ReasonCode.UnrangedKey, "keys" -> sides.leftKeys.map(_.sql).mkString(", ")))
      case Some(ranged) =>
        val valid = Validity.groupable(joinType).filter(side => sides.of(side.other).deterministic)
        val options =
          if (valid.isEmpty) Seq(apart(sides, ranged))
          else valid.map(side => grouping(joinType, sides, ranged, side))
        options.flatten.flatMap(completed(joinType, sides, _)).minByOption(_.cost) match {
          case None if options.flatten.isEmpty =>
            Left(Reason(ReasonCode.ManyOverlaps, "limit" -> JoinSides.MostPairs.toString))
          case None => Left(Reason(ReasonCode.KeepsBothSides, "join" -> Validity.name(joinType)))
          case Some(best) if !forced && best.cost > best.stockCost => Left(tooWide(best))
          case Some(best) => Right(best.choice)
        }
    }

  private def tooWide(option: Priced): Reason = {
    import option.choice._
    Reason(ReasonCode.OverlapTooWide, "c" -> cText, "groups" -> groups.toString,
      "cost" -> Bytes.text(option.cost), "stock" -> Bytes.text(option.stockCost))
  }

  // --- Groups ------------------------------------------------------------------------------------

  private def grouping(
      joinType: JoinType,
      sides: JoinSides,
      ranged: Seq[Int],
      side: Side): Option[Grouped] = {
    val idle = Validity.keepsUnmatched(joinType, side)
    val (own, other) = (sides.of(side).heldBytes, sides.of(side.other).readBytes)
    sides.overlaps(ranged, side).map { overlaps =>
      val units = sides.units(ranged, side)
      Grouped(side, HyperGroups(units, own, other, overlaps, budget(own), idle))
    }
  }

  /** Groups without a common block, for joins that keep the rows of both sides. */
  private def apart(sides: JoinSides, ranged: Seq[Int]): Option[Grouped] = {
    val (own, other) = (sides.of(Side.Left).heldBytes, sides.of(Side.Right).heldBytes)
    sides.overlaps(ranged, Side.Left).map { overlaps =>
      Grouped(Side.Left, HyperGroups.disjoint(own, other, overlaps, budget(own)))
    }
  }

  /** So that each task has something to do a few times over. */
  private def budget(bytes: Array[Long]): Long =
    most.min(bytes.sum / (GroupsPerSlot * slots)).max(1)

  // --- Choice ------------------------------------------------------------------------------------

  private def completed(joinType: JoinType, sides: JoinSides, groups: Grouped): Option[Priced] = {
    import groups._
    val (own, other) = (sides.of(side), sides.of(side.other))
    def parts(of: Side) = if (of == side) all.grouped else all.probed
    def bytes(blocks: Seq[IndexedSeq[Int]], of: Array[Long]) = blocks.map(_.iterator.map(of).sum)
    val hashed = Seq(Side.Left, Side.Right).filter(mayHash(joinType, _))
      .map(built => built -> bytes(parts(built), sides.of(built).heldBytes))
      .filter(_._2.forall(_ <= most)).minByOption(_._2.sum).map(_._1)
    val sortable = RowOrdering.isOrderable(sides.leftKeys)
    Option.when(hashed.nonEmpty || sortable) {
      val probed = bytes(all.probed, other.readBytes)
      val reads = bytes(all.grouped, own.readBytes).zip(probed).map { case (a, b) => a + b }
      val once = bytes(Seq(all.probed.flatten.distinct), other.readBytes).sum
      val moved = own.shuffleBytes + other.shuffleBytes
      def files(of: Side) = FileGroups(parts(of).map(sides.of(of).paths))
      def together(of: Side) = sides.together(of, parts(of), joinType)
      val choice = HyperJoinChoice(side, files(Side.Left), files(Side.Right),
        hashed.map(HyperJoinChoice.buildSide), together(Side.Left), together(Side.Right),
        probed.sum.toDouble / once.max(1), moved)
      // The task with most to read ends last.
      val cost = reads.sum.max(reads.max * slots).toDouble
      val stock = own.readBytes.sum + other.readBytes.sum + (shuffleCost - 1) * moved
      Priced(choice, cost, stock)
    }
  }

  private def mayHash(joinType: JoinType, side: Side): Boolean =
    if (side == Side.Left) canBuildShuffledHashJoinLeft(joinType)
    else canBuildShuffledHashJoinRight(joinType)
}

private[hyperjoin] object HyperJoinPlanner {

  /** Fewer groups would leave cores without work while the last ones end. */
  private val GroupsPerSlot = 3

  /** What an answer depends on. A tag goes with a node to what a rule makes of it. */
  private case class Asked(
      joinType: JoinType,
      keys: Seq[(Expression, Expression)],
      left: LogicalPlan,
      right: LogicalPlan,
      forced: Boolean,
      most: Long,
      shuffleCost: Double,
      slots: Int)

  private val Answered =
    TreeNodeTag[(Asked, Either[Reason, HyperJoinChoice])]("colocate.hyperjoin.answered")

  private case class Grouped(side: Side, all: HyperGroups)

  private case class Priced(choice: HyperJoinChoice, cost: Double, stockCost: Double)
}
