package io.colocate.changes.differentiate

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Window}
import org.apache.spark.sql.types.{ByteType, DecimalType, IntegerType, LongType, ShortType}

import io.colocate.facts.types.EqualBits
import io.colocate.report.{ChangesReasons, Reason}

/**
 * Whether an operator returns the same bits whenever it is asked, however its rows are spread over tasks.
 * What a view stands for is computed anew when it is to be taken away, and must be found then.
 *
 * {{{
 *   sum of decimals or whole numbers     the same
 *   sum of doubles                       may differ in its last digits
 *   GROUP BY text with a collation       'a' or 'A' stands for both
 *   row_number() among equal rows        any of them may be the first
 * }}}
 *
 * The operator at the top of a view may be inexact where [[TopByKey]] holds: then the view's own rows of a
 * key are taken away, as they are stored.
 */
private[differentiate] object Exact {

  /** Why not; None if it does. */
  def problem(plan: LogicalPlan): Option[Reason] = plan match {
    case Aggregate(grouping, columns, _, _) =>
      val functions = columns.flatMap(_.collect { case f: AggregateExpression => f })
      functions.find(!same(_)).map(f => inexact(plan, f))
        .orElse(grouping.find(key => !EqualBits(key.dataType)).map(inexact(plan, _)))
    case window: Window => window.windowExpressions.headOption.map(inexact(plan, _))
    case _ => None
  }

  private def inexact(plan: LogicalPlan, part: Expression) =
    Reason(ChangesReasons.NotExact, "operator" -> plan.nodeName, "what" -> part.sql)

  private def same(function: AggregateExpression): Boolean = function.aggregateFunction match {
    case _: Count => true
    case sum: Sum =>
      sum.child.dataType match {
        case ByteType | ShortType | IntegerType | LongType | _: DecimalType => true
        case _ => false
      }
    case average: Average => average.child.dataType.isInstanceOf[DecimalType]
    case Max(child) => EqualBits(child.dataType)
    case Min(child) => EqualBits(child.dataType)
    case _: BitAndAgg | _: BitOrAgg | _: BitXorAgg => true
    case _ => false
  }
}
