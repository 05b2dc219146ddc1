package io.colocate.programs.lineage

import io.colocate.report.Reason

/**
 * Where the value of an expression comes from.
 *
 * @param ways the ways for the inputs to lie so that rows lie by the value; none if there is a `lost`
 * @param lost why there is no way, and the operator where the value came to be
 */
final case class Traced private (ways: Seq[Placed], lost: Option[Lost])

/** @param place the operator, as in a plan */
final case class Lost(place: String, reason: Reason)

object Traced {

  def at(way: Placed): Traced = Traced(Seq(way), None)

  def to(ways: Seq[Placed], otherwise: => Lost): Traced =
    if (ways.isEmpty) Traced(Nil, Some(otherwise)) else Traced(ways, None)

  def lost(place: String, reason: Reason): Traced = Traced(Nil, Some(Lost(place, reason)))

  /** Any of some alternatives, of which there is at least one. */
  def any(alternatives: Seq[Traced]): Traced =
    to(alternatives.flatMap(_.ways).distinct.take(Placed.MostWays),
      alternatives.flatMap(_.lost).head)

  /** All at once; the first that is lost says why not. */
  def all(parts: Seq[Traced], otherwise: => Lost): Traced =
    to(Placed.all(parts.map(_.ways)), parts.flatMap(_.lost).headOption.getOrElse(otherwise))
}
