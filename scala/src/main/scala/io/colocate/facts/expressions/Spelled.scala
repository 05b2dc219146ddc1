package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions.Expression

/**
 * All ways of writing an expression with other names for parts of it:
 * {{{
 *   month(day) + a, where day is d, and a is x or y        month(d) + x, month(d) + y
 * }}}
 * Valid where each name stands for the same value as its part, in the same row. Counter-example: a column
 * without a name, which leaves no way.
 */
object Spelled {

  /**
   * @param most  at most so many ways
   * @param names the names of an expression as a whole
   */
  def apply(expression: Expression, most: Int)(
      names: Expression => Seq[Expression]): Seq[Expression] = {
    def ways(part: Expression): Seq[Expression] = {
      val inParts =
        if (part.references.isEmpty) Seq(part)
        else if (part.children.isEmpty) Nil
        else each(part.children.map(ways), most).map(part.withNewChildren)
      (names(part) ++ inParts).take(most)
    }
    ways(expression)
  }

  /** All ways to choose one of each. */
  def each(choices: Seq[Seq[Expression]], most: Int): Seq[Seq[Expression]] =
    choices.foldLeft(Seq(Seq.empty[Expression])) { (begun, next) =>
      begun.flatMap(chosen => next.map(chosen :+ _)).take(most)
    }
}
