package io.colocate.programs

import io.colocate.programs.lineage.{Input, Placed}
import io.colocate.report.{ProgramReasons, Reason}

/**
 * Inputs that must lie alike, and how: by the fields of one position, or of several in the same order and the
 * same number of partitions.
 *
 * @param places the operators that ask for it
 */
final case class Agreement(positions: Seq[Placed], places: Seq[String]) {
  def inputs: Seq[Input] = positions.flatMap(_.fields.keys).distinct.sortBy(_.name)
}

/**
 * What some demands leave to choose: one agreement for each set of inputs that is not tied to others.
 *
 * @param conflicts operators whose demands nothing meets
 */
final private case class Agreements(open: Seq[Agreement], conflicts: Seq[Conflict]) {

  /** All ways that meet the demand too. Inputs of one position lie by its fields at the same place of their keys. */
  def and(demand: Demand): Agreements = demand.lost match {
    case Some(lost) =>
      copy(conflicts = conflicts :+ Conflict(demand.place, lost.reason, Some(lost.place)))
    case None =>
      val (tied, others) =
        open.partition(_.positions.exists(position => demand.ways.exists(position.sharesInputWith)))
      val positions = tied.foldLeft(demand.ways)((ways, agreement) => joined(agreement, ways))
      if (positions.isEmpty) copy(conflicts = conflicts :+ disagreement(demand, tied))
      else
        copy(open = others :+ Agreement(positions, tied.flatMap(_.places) :+ demand.place))
  }

  private def joined(agreement: Agreement, ways: Seq[Placed]): Seq[Placed] = (for {
    way <- ways
    position <- agreement.positions
    if position.sharesInputWith(way)
    both <- position.and(way)
  } yield both).distinct.take(Placed.MostWays)

  private def disagreement(demand: Demand, tied: Seq[Agreement]): Conflict = {
    val reason =
      if (demand.loop)
        Reason(ProgramReasons.CycleChangesKey, "key" -> Conflict.text(tied.flatMap(_.positions)))
      else
        Reason(ProgramReasons.NoCommonField, "fields" -> Conflict.text(demand.ways),
          "others" -> tied.flatMap(_.places).distinct.mkString(", "))
    Conflict(demand.place, reason, None)
  }
}

/**
 * An operator that no layout of the inputs serves.
 *
 * @param at the operator below it that is the cause, if it is another one
 */
final case class Conflict(place: String, reason: Reason, at: Option[String])

object Conflict {

  /** The fields of some ways, each with its input. */
  def text(ways: Seq[Placed]): String = ways.flatMap(_.fields.toSeq).distinct
    .map { case (input, field) => s"${input.name}.${field.text}" }.sorted.mkString(", ")
}
