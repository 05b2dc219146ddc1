package io.colocate.programs

import io.colocate.programs.lineage.{Input, Lost, Placed}

/**
 * What one operator asks of the inputs: that they lie by the fields of one or several of these ways, in the
 * same order.
 *
 * @param place the operator with its keys, as in a plan
 * @param lost  why there is no way, if there is none
 * @param more  of a position that others ask for: how inputs lie by it that serve this operator too, by
 *              something computed of its ways; None if only the ways themselves serve it
 * @param loop  what a loop hands to its next turn, if it is a loop that asks
 */
final case class Demand(
    place: String,
    ways: Seq[Placed],
    lost: Option[Lost],
    more: Option[Placed => Seq[Placed]] = None,
    loop: Option[Input] = None) {

  def inputs: Set[Input] = (ways.flatMap(_.fields.keys) ++ loop).toSet

  def takesFunctions: Boolean = more.nonEmpty

  /** All ways to lie by a position and serve the operator too. */
  def meeting(position: Placed): Seq[Placed] =
    (ways.flatMap(position.and) ++ more.toSeq.flatMap(_(position))).distinct
}
