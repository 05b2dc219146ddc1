package io.colocate.programs

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.programs.lineage.{Field, Input, Lineage, Placed}

/**
 * What a loop asks: the rows that it hands to its next turn lie by the fields by which those of this turn are
 * needed.
 * {{{
 *   p (root, node)                                    p lies by root, or by a function of it,
 *   first turn   SELECT src, dst FROM edges           where edges lies by src, or by that function
 *   each turn    SELECT root, node + 1 FROM p         and each turn keeps root
 * }}}
 * Valid for any program inside the turns, as each is followed down to its inputs. Counter-example:
 * `SELECT node, root FROM p`, whose rows lie by what is node now.
 *
 * @param input   what stands for the rows of a turn
 * @param columns all of its columns
 * @param turns   what is handed on: by the first turn and by each other, or by the result of a query
 */
final private class HandedOn(
    input: Input,
    columns: Seq[Field],
    turns: Seq[Turn],
    lineage: Lineage) {

  def demand(place: String): Demand =
    Demand(place, columns.flatMap(column => kept(Placed.by(input, column))), None, Some(kept(_)),
      Some(input))

  /** The ways to lie by a position of which the loop's rows keep their field. */
  private def kept(position: Placed): Seq[Placed] =
    position.fields.get(input).toSeq.flatMap { field =>
      Placed.all(Seq(position) +: turns.map(_.ways(field, lineage)))
    }
}

/** @param made the columns of these rows, by those of the input whose place they take */
final private case class Turn(rows: SparkPlan, made: Map[Field, Attribute]) {

  def ways(field: Field, lineage: Lineage): Seq[Placed] = {
    val here = field.expression.transform { case a: Attribute => made.getOrElse(new Field(a), a) }
    lineage(rows, here).ways
  }
}
