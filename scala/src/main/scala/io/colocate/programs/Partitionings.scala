package io.colocate.programs

import io.colocate.programs.lineage.Input

/**
 * How the inputs of a program may lie so that no operator needs a row from another place.
 *
 * @param agreements inputs that must lie alike; none if there are conflicts
 * @param anyhow     inputs that may lie in any way; none if there are conflicts
 * @param conflicts  operators that no layout serves
 * @param gathered   operators at the end of a query that bring what is left to one task, or into an order: they
 *                   move rows however the inputs lie
 */
final case class Partitionings(
    agreements: Seq[Agreement],
    anyhow: Seq[Input],
    conflicts: Seq[Conflict],
    gathered: Seq[Conflict]) {

  def possible: Boolean = conflicts.isEmpty

  /**
   * True if no operator needs a row from another place where the inputs lie so, all in the same number of
   * partitions.
   *
   * @param layout the fields of each input that is partitioned, as text and in order
   */
  def serves(layout: Map[String, Seq[String]]): Boolean = possible && agreements.forall {
    agreement =>
      val lists = agreement.inputs.map(input => layout.getOrElse(input.name, Nil))
      lists.map(_.length).distinct.length == 1 && lists.head.nonEmpty &&
      lists.head.indices.forall(at => holds(agreement, layout, at))
  }

  private def holds(agreement: Agreement, layout: Map[String, Seq[String]], at: Int): Boolean =
    agreement.positions.exists(_.fields.forall { case (input, field) =>
      layout(input.name)(at) == field.text
    })
}
