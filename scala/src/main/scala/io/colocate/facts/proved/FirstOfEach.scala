package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.{FilterExec, InputAdapter, SparkPlan}
import org.apache.spark.sql.execution.window.WindowExec

/**
 * The columns of which a filter leaves one row for each value: those that `row_number()` counts by.
 *
 * {{{
 *   Filter [n = 1]
 *   +- Window [row_number() AS n], [a], [b DESC]
 * }}}
 *
 * Counter-example: `rank()`, which gives rows that tie the same number.
 */
private[proved] object FirstOfEach {

  def apply(filter: FilterExec): Option[Set[ExprId]] = of(filter, filter.child)

  private def of(filter: FilterExec, child: SparkPlan): Option[Set[ExprId]] = child match {
    case adapter: InputAdapter => of(filter, adapter.child)
    case window: WindowExec if keepsOne(filter.condition, numbers(window)) =>
      val columns = window.partitionSpec.collect { case a: Attribute => a.exprId }
      Option.when(columns.nonEmpty && columns.length == window.partitionSpec.length)(columns.toSet)
    case _ => None
  }

  private def numbers(window: WindowExec): Set[ExprId] = window.windowExpression.collect {
    case alias @ Alias(WindowExpression(_: RowNumber, _), _) => alias.exprId
  }.toSet

  private def keepsOne(condition: Expression, numbers: Set[ExprId]): Boolean = condition match {
    case And(left, right) => keepsOne(left, numbers) || keepsOne(right, numbers)
    case EqualTo(a: Attribute, Literal(1, _)) => numbers(a.exprId)
    case LessThanOrEqual(a: Attribute, Literal(1, _)) => numbers(a.exprId)
    case LessThan(a: Attribute, Literal(2, _)) => numbers(a.exprId)
    case _ => false
  }
}
