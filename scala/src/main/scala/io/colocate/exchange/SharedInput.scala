package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.optimizer.JoinSelectionHelper
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.internal.SQLConf

/**
 * Rows that two parts of a query, such as two of its subqueries, may shuffle alike: equal inputs of joins,
 * aggregates and windows, regardless of the columns that each part reads. Inputs of a broadcast join do not
 * count, and a part that occurs twice is planned once.
 */
private[exchange] object SharedInput extends JoinSelectionHelper {

  def among(parts: Seq[LogicalPlan]): Boolean = parts.length > 1 && {
    val different = parts.map(withAllColumns).distinctBy(_.canonicalized)
    val shuffled = different.flatMap(inputs(_).map(_.canonicalized).distinct)
    shuffled.distinct.length < shuffled.length
  }

  private def withAllColumns(plan: LogicalPlan): LogicalPlan = plan match {
    case union: UnionBase => union.mapChildren(withItsColumns)
    case Project(list, child) if list.forall(_.isInstanceOf[Attribute]) => withAllColumns(child)
    case other => other.mapChildren(withAllColumns)
  }

  /**
   * The same below the operator that selects the columns: a union needs the same number of columns from
   * each of its inputs.
   */
  private def withItsColumns(plan: LogicalPlan): LogicalPlan = plan match {
    case _: Project | _: Aggregate => plan.mapChildren(withAllColumns)
    case other => other.mapChildren(withItsColumns)
  }

  private def inputs(part: LogicalPlan): Seq[LogicalPlan] = part.collect {
    case join: Join if !isBroadcast(join) => join.children
    case window: Window => window.children
    case aggregate: Aggregate if shuffles(aggregate) => aggregate.children
  }.flatten

  /** A hint may ask to shuffle a small input, and an outer join can broadcast at most one of its sides. */
  private def isBroadcast(join: Join): Boolean = join.hint == JoinHint.NONE &&
    (isSmall(join.right) && canBuildBroadcastRight(join.joinType) ||
      isSmall(join.left) && canBuildBroadcastLeft(join.joinType))

  private def isSmall(side: LogicalPlan): Boolean =
    side.stats.sizeInBytes <= SQLConf.get.autoBroadcastJoinThreshold

  private def shuffles(aggregate: Aggregate): Boolean =
    aggregate.groupingExpressions.nonEmpty || aggregate.aggregateExpressions.exists(isDistinct)

  private def isDistinct(e: Expression): Boolean = e.exists {
    case a: AggregateExpression => a.isDistinct
    case _ => false
  }
}
