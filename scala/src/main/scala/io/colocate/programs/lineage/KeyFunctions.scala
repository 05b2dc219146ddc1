package io.colocate.programs.lineage

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.expressions.{FunctionOfKeys, Spelled}

/**
 * Rows that are equal on some keys are together where they lie by a function of these:
 * {{{
 *   HashAggregate [day]           a layout by month(day), which another operator
 *   +- FileScan t                 asks for, serves this one as well
 * }}}
 * The function is written with the keys in place of the fields that they are, and followed down again: so it
 * is one of the keys of one row. Valid where [[FunctionOfKeys]] is, which the planner asks too.
 *
 * Counter-examples: day for `GROUP BY month(day)`, as rows of one month have several days; `x * 2` of a
 * floating-point key, as -0.0 and 0.0 are one group; above a self join on `c + d`, that sum for a grouping by
 * one side's c and the other's d, which come from two rows.
 */
final class KeyFunctions(lineage: Lineage, child: SparkPlan, keys: Seq[Attribute])
    extends (Placed => Seq[Placed]) {

  private lazy val fields: Seq[(Attribute, Placed)] =
    keys.flatMap(key => lineage(child, key).ways.map(key -> _))

  /** The ways to lie by a position that are functions of the keys. */
  override def apply(position: Placed): Seq[Placed] = for {
    (input, field) <- position.fields.toSeq
    function <- written(input, field.expression)
    if FunctionOfKeys(function, keys)
    way <- lineage(child, function).ways
    both <- position.and(way)
  } yield both

  /** All ways of writing a field of an input with keys in the place of columns. */
  private def written(input: Input, field: Expression): Seq[Expression] =
    Spelled(field, Placed.MostWays) { part =>
      fields.collect {
        case (key, way) if way.fields.get(input).contains(new Field(part)) => key
      }.distinct
    }
}
