package io.colocate.programs

import io.colocate.programs.lineage.Placed
import io.colocate.report.Reason

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
