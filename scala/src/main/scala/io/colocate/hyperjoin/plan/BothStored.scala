package io.colocate.hyperjoin.plan

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.catalyst.plans.JoinType

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.hyperjoin.exec.FileGroups
import io.colocate.hyperjoin.grouping.HyperGroups
import io.colocate.report.{Bytes, HyperJoinReasons, Reason}

/**
 * Plans the join of two robust tables without a shuffle. It uses the ranges of the join key in the files
 * that remain after pruning, and compares the bytes that would be read with the bytes that would be
 * shuffled (Lu et al., AdaptDB, PVLDB 10(5), 2017).
 */
final private[hyperjoin] class BothStored(
    terms: CostParameters,
    joinType: JoinType,
    sides: JoinSides) {

  import BothStored.Grouped

  def apply(): Either[Reason, HyperJoinChoice] = sides.ranged match {
    case None =>
      Left(Reason(HyperJoinReasons.UnrangedKey, "keys" -> sides.leftKeys.map(_.sql).mkString(", ")))
    case Some(ranged) =>
      val valid =
        JoinSemantics.groupable(joinType).filter(side => sides.of(side.other).deterministic)
      val options = if (valid.isEmpty) Seq(apart(ranged)) else valid.map(grouping(ranged, _))
      options.flatten.flatMap(completed).minByOption(c => (c.cost, c.build.isEmpty)) match {
        case None if options.flatten.isEmpty =>
          Left(Reason(HyperJoinReasons.ManyOverlaps, "limit" -> JoinSides.MostPairs.toString))
        case None =>
          Left(Reason(HyperJoinReasons.KeepsBothSides, "join" -> JoinSemantics.name(joinType)))
        case Some(best) => Right(best)
      }
  }

  // --- Groups ------------------------------------------------------------------------------------

  private def grouping(ranged: Seq[Int], side: Side): Option[Grouped] = {
    val idle = JoinSemantics.keepsUnmatched(joinType, side)
    val (own, other) = (sides.of(side).heldBytes, sides.of(side.other).readBytes)
    sides.overlaps(ranged, side).map { overlaps =>
      Grouped(side,
        HyperGroups(sides.units(ranged, side), own, other, overlaps, terms.whole(own),
          terms.budget(own), idle))
    }
  }

  /** Groups without a common block, for joins that keep the rows of both sides. */
  private def apart(ranged: Seq[Int]): Option[Grouped] = {
    val (own, other) = (sides.of(Side.Left).heldBytes, sides.of(Side.Right).heldBytes)
    sides.overlaps(ranged, Side.Left).map { overlaps =>
      Grouped(Side.Left, HyperGroups.disjoint(own, other, overlaps, terms.budget(own)))
    }
  }

  // --- Choice ------------------------------------------------------------------------------------

  private def completed(groups: Grouped): Option[HyperJoinChoice] = {
    import groups._
    val (own, other) = (sides.of(side), sides.of(side.other))
    def parts(of: Side) = if (of == side) all.grouped else all.probed
    def bytes(blocks: Seq[IndexedSeq[Int]], of: Array[Long]) = blocks.map(_.iterator.map(of).sum)
    val sortable = RowOrdering.isOrderable(sides.leftKeys)
    val hashed = terms.hashed(joinType, sortable,
      Seq(Side.Left, Side.Right).map { of =>
        val held = bytes(parts(of), sides.of(of).heldBytes).map(_.toDouble)
        Held(of, Some(held), sides.of(of).filtered)
      })
    Option.when(hashed.nonEmpty || sortable) {
      val probed = bytes(all.probed, other.readBytes)
      val reads = bytes(all.grouped, own.readBytes).zip(probed).map { case (a, b) => a + b }
      val once = bytes(Seq(all.probed.flatten.distinct), other.readBytes).sum
      val moved = own.shuffleBytes + other.shuffleBytes
      val cost = terms.reading(reads)
      val stock = own.readBytes.sum + other.readBytes.sum + terms.moving(moved)
      def files(of: Side) = FileGroups(parts(of).map(sides.of(of).paths))
      def supply(of: Side) = SideInput.Files(files(of), sides.together(of, parts(of), joinType))
      val figures = Seq("groups" -> all.groups.length.toString,
        "c" -> "%.2f".formatLocal(Locale.ROOT, probed.sum.toDouble / once.max(1)),
        "files" -> files(side.other).files.toString, "reads" -> files(side.other).reads.toString,
        "bytes" -> Bytes.text(moved), "cost" -> Bytes.text(cost), "stock" -> Bytes.text(stock))
      HyperJoinChoice(supply(Side.Left), supply(Side.Right), hashed.map(HyperJoinChoice.buildSide),
        Reason(HyperJoinReasons.HyperJoin, figures: _*), 2, moved, cost, stock)
    }
  }
}

private object BothStored {
  private case class Grouped(side: Side, all: HyperGroups)
}
