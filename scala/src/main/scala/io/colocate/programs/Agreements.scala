package io.colocate.programs

import io.colocate.report.{ProgramReasons, Reason}

/**
 * The demands of a program as far as they are met: one agreement for each set of inputs that is not tied to
 * others.
 *
 * @param conflicts operators whose demands nothing meets
 */
final private class Agreements private (val open: Seq[Agreement], val conflicts: Seq[Conflict]) {

  /** All ways that meet the demand too. */
  def and(demand: Demand): Agreements = demand.lost match {
    case Some(lost) => but(Conflict(demand.place, lost.reason, Some(lost.place)))
    case None =>
      val (tied, others) = open.partition(_.demands.exists(_.inputs.exists(demand.inputs)))
      val agreement = Agreement.of(tied.flatMap(_.demands) :+ demand)
      if (agreement.positions.isEmpty) but(disagreement(demand, tied))
      else new Agreements(others :+ agreement, conflicts)
  }

  private def but(conflict: Conflict) = new Agreements(open, conflicts :+ conflict)

  private def disagreement(demand: Demand, tied: Seq[Agreement]): Conflict = {
    val reason = demand.loop match {
      case Some(input) =>
        val needed = tied.flatMap(_.positions).flatMap(_.fields.get(input)).distinct
        Reason(ProgramReasons.CycleChangesKey, "key" -> needed.mkString(", "))
      case None =>
        Reason(ProgramReasons.NoCommonField, "fields" -> Conflict.text(demand.ways),
          "others" -> tied.flatMap(_.places).distinct.mkString(", "))
    }
    Conflict(demand.place, reason, None)
  }
}

private object Agreements {
  def of(demands: Seq[Demand]): Agreements =
    demands.foldLeft(new Agreements(Nil, Nil))(_ and _)
}
