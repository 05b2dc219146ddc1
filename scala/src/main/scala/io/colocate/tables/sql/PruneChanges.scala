package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression, SubqueryExpression}
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.colocate.rule.PlanRule
import io.colocate.tables.feed.ChangedFiles
import io.colocate.tables.versions.TableScan

/**
 * Leaves out the files of versions that a query of changes does not ask for. Runs before cost-based
 * optimisation, so that a join with few changes broadcasts them, however long the history is.
 *
 * {{{
 *   Filter (_commit_version > 7)                     Filter (_commit_version > 7)
 *   +- Relation Colocate changes[/t], 40 files  =>   +- Relation Colocate changes[/t], 1 file
 * }}}
 *
 * Valid as the columns of a commit are the same in all rows of a file, and the filter stays.
 *
 * Counter-example: `_commit_version > (SELECT ...)` is known only when the query runs; Spark asks it of
 * the files then.
 */
object PruneChanges extends PlanRule[LogicalPlan, LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (TableScan.isIn[ChangedFiles](plan)) pruned(plan) else plan

  private def pruned(plan: LogicalPlan): LogicalPlan = plan.transformDownWithSubqueries {
    case operation @ PhysicalOperation(_, filters,
          TableScan(relation, fs, changes: ChangedFiles)) =>
      val known = AttributeSet(
        relation.output.filter(a => changes.partitionSchema.fieldNames.contains(a.name)))
      val left = changes.having(filters.filter(isKnown(_, known)))
      if (left.eq(changes)) operation
      else {
        val scan = relation.copy(relation = fs.copy(location = left)(fs.sparkSession))
        operation.transformUp { case found if found.eq(relation) => scan }
      }
  }

  private def isKnown(filter: Expression, columns: AttributeSet): Boolean =
    filter.deterministic && filter.references.nonEmpty && filter.references.subsetOf(columns) &&
      !SubqueryExpression.hasSubquery(filter)
}
