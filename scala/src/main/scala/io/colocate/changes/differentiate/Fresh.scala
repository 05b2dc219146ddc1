package io.colocate.changes.differentiate

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Alias, AttributeReference, ExprId, NamedExpression}
import org.apache.spark.sql.catalyst.plans.ExistenceJoin
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}

/**
 * The same plan with ids of its own for all columns, so that it may stand beside the original.
 *
 * {{{
 *   Project [a#1 + 1 AS b#2]         Project [a#7 + 1 AS b#8]
 *   +- Relation [a#1]           =>   +- Relation [a#7]
 * }}}
 *
 * Valid for plans whose subqueries refer to no column outside them. Counter-example: a correlated
 * subquery, which [[Plain]] has turned into a join before.
 */
private[changes] object Fresh {

  def apply(plan: LogicalPlan): LogicalPlan = {
    val ids = mutable.HashMap.empty[ExprId, ExprId]
    def fresh(id: ExprId) = ids.getOrElseUpdate(id, NamedExpression.newExprId)
    plan.transform { case node =>
      // A join's kind is no expression to Spark, though it may hold a column.
      val kind = node match {
        case join @ Join(_, _, ExistenceJoin(exists), _, _) =>
          join.copy(joinType = ExistenceJoin(exists.withExprId(fresh(exists.exprId))))
        case other => other
      }
      kind.transformExpressions {
        case a: AttributeReference => a.withExprId(fresh(a.exprId))
        case a: Alias =>
          a.copy()(fresh(a.exprId), a.qualifier, a.explicitMetadata, a.nonInheritableMetadataKeys)
      }
    }
  }
}
