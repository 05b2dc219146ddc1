package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.BaseJoinExec

/**
 * A key of an operator's output by the columns of its child `i`, of which it is computed:
 * {{{
 *   HashAggregate [k]            k
 *   +- Project [a + 1 AS k]      is a + 1 below it
 * }}}
 * Valid in each row of the output, for the row below from which it is made, or for each row of its group.
 * Counter-examples, which have none: `sum(a)`; a column of ROLLUP, which is NULL in some rows; what a Python
 * function makes. Nothing is said of joins and unions, whose rows come from several sides.
 */
object KeyBelow {

  def apply(operator: SparkPlan, i: Int): Expression => Option[Expression] =
    foundIn(operator.children(i), step(operator, i))

  /** Keeps only keys whose columns all come from the child. */
  def foundIn(
      child: SparkPlan,
      step: Expression => Option[Expression]): Expression => Option[Expression] = {
    lazy val there = child.outputSet
    key =>
      step(key).filter { k =>
        k.deterministic && k.references.nonEmpty && k.references.subsetOf(there)
      }
  }

  /** True if all rows that Expand makes of a row have the key at this place. */
  def keeps(expand: ExpandExec, place: Int, key: Expression): Boolean =
    expand.projections.forall(_(place).semanticEquals(key))

  private def step(operator: SparkPlan, i: Int): Expression => Option[Expression] =
    operator match {
      case _: BaseJoinExec | _: UnionExec => _ => None
      case p: ProjectExec =>
        val named = through(p.projectList)
        val kept = keptFrom(p, i)
        key => named(replaced(key, kept))
      case a: BaseAggregateExec if a.requiredChildDistributionExpressions.isDefined =>
        through(a.resultExpressions)
      case a: BaseAggregateExec => through(a.groupingExpressions)
      case e: ExpandExec => throughExpand(e)
      case other =>
        val kept = keptFrom(other, i)
        key => Some(replaced(key, kept))
    }

  /** The columns of child `i` that a Python function hands through, by what they are above it. */
  private def keptFrom(operator: SparkPlan, i: Int): Map[ExprId, Expression] =
    KeptColumns.of(operator).filter(_.child == i).map(c => c.to.exprId -> c.from).toMap

  private def through(list: Seq[NamedExpression]): Expression => Option[Expression] = {
    val sources = list.collect { case alias @ Alias(source, _) => alias.exprId -> source }.toMap
    key => Some(replaced(key, sources))
  }

  private def throughExpand(expand: ExpandExec): Expression => Option[Expression] = {
    val made = expand.outputSet
    key =>
      val sources = key.references.toSeq.filter(made.contains).map(column =>
        column.exprId -> source(expand, column))
      Option.when(sources.forall(_._2.nonEmpty)) {
        replaced(key, sources.collect { case (column, Some(source)) => column -> source }.toMap)
      }
  }

  /** The column below that all lists keep at the place of a column of the output. */
  private def source(expand: ExpandExec, column: Attribute): Option[Expression] = {
    val place = expand.output.indexWhere(_.exprId == column.exprId)
    expand.child.output.find(keeps(expand, place, _))
  }

  private def replaced(key: Expression, sources: Map[ExprId, Expression]): Expression =
    if (sources.isEmpty) key
    else key.transformUp { case a: Attribute if sources.contains(a.exprId) => sources(a.exprId) }
}
