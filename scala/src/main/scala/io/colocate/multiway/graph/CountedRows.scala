package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.LongType

/**
 * Lets a multiway join count the rows that an aggregate only counts: the join adds up the sizes of
 * lists, and lists no values of variables that are not needed.
 *
 * {{{
 *   Aggregate [src], [src, count(1)]          Aggregate [src], [src, coalesce(sum(weight), 0)]
 *   +- Project [src]                     =>   +- MultiwayJoin counted as weight
 *      +- MultiwayJoin
 * }}}
 *
 * Valid if the aggregate computes only count(*), grouped by columns of the join. Counter-example:
 * count(DISTINCT x), which counts repeated rows once.
 */
private[multiway] object CountedRows {

  def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate @ Aggregate(grouping, results, Columns(columns, join), _)
        if grouping.forall(_.isInstanceOf[Attribute]) && results.forall(countsOnly) =>
      val weight = AttributeReference("weight", LongType, nullable = false)()
      val grouped = AttributeSet(grouping)
      val kept = columns.filter(column => grouped.contains(column.toAttribute))
      val wanted = AttributeSet.fromAttributeSets(kept.map(_.references))
      val counted =
        join.copy(output = join.output.filter(wanted.contains) :+ weight, counted = Some(weight))
      counted.copyTagsFrom(join)
      aggregate.copy(aggregateExpressions = results.map(summed(_, weight)),
        child = Project(kept :+ weight, counted))
  }

  /** A join, possibly below a projection that only selects and renames its columns. */
  private object Columns {
    def unapply(plan: LogicalPlan): Option[(Seq[NamedExpression], MultiwayJoin)] = plan match {
      case join: MultiwayJoin if join.counted.isEmpty => Some((join.output, join))
      case Project(list, join: MultiwayJoin) if join.counted.isEmpty && list.forall(renames) =>
        Some((list, join))
      case _ => None
    }

    private def renames(e: NamedExpression): Boolean = e match {
      case _: Attribute => true
      case Alias(_: Attribute, _) => true
      case _ => false
    }
  }

  private def countsOnly(result: Expression): Boolean = result match {
    case a: AggregateExpression => isCount(a)
    case other => other.children.forall(countsOnly)
  }

  private def isCount(aggregate: AggregateExpression): Boolean = aggregate match {
    case AggregateExpression(Count(Seq(Literal(value, _))), Complete, false, None, _) =>
      value != null
    case _ => false
  }

  private def summed(result: NamedExpression, weight: Attribute): NamedExpression =
    result.transformUp { case a: AggregateExpression =>
      Coalesce(Seq(a.copy(aggregateFunction = Sum(weight)), Literal(0L)))
    }.asInstanceOf[NamedExpression]
}
