package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, Expression}
import org.apache.spark.sql.execution.{FileSourceScanExec, InSubqueryExec, SparkPlan}

import io.colocate.report.{Finding, Findings, TableReasons}
import io.colocate.rule.OptionalPhysicalRule
import io.colocate.tables.scan.{AnyKeyInFile, FileKeys}

/**
 * Runs once Spark has planned the subquery of a filter that [[PruneByJoin]] made. It checks for each
 * file whether its range holds one of the keys, where Spark would look for one value among them.
 *
 * {{{
 *   dynamicpruning (keys(day) in file IN subquery)  =>  dynamicpruning (file may hold one of subquery)
 * }}}
 *
 * It is a columnar rule, as no other rule runs after dynamic pruning both with and without adaptive
 * execution. If it is switched off or fails, the filter is dropped: it only says which files need not be
 * read.
 */
object PlanFileKeys extends OptionalPhysicalRule {

  override def concerns(plan: SparkPlan): Boolean = plan.exists(asks)

  override def apply(plan: SparkPlan): SparkPlan = filtered(plan)(_.map(_.transform {
  case DynamicPruningExpression(keys @ InSubqueryExec(FileKeys(file, _, ranges), _, _, _, _, _)) =>
    DynamicPruningExpression(AnyKeyInFile(file, keys, ranges))
}))

  override def without(plan: SparkPlan): SparkPlan =
    filtered(plan)(_.filterNot(_.exists(isKeys)))

  override def failed(plan: SparkPlan, error: Throwable): SparkPlan = {
    val kept = without(plan)
    Findings.put(kept,
      Finding.failed(TableReasons.Capability, kept.nodeName, "plan-file-keys", error))
    kept
  }

  private def filtered(plan: SparkPlan)(change: Seq[Expression] => Seq[Expression]): SparkPlan =
    plan.transformUp {
      case scan: FileSourceScanExec if asks(scan) =>
        scan.copy(partitionFilters = change(scan.partitionFilters))
    }

  private def asks(plan: SparkPlan): Boolean = plan match {
    case scan: FileSourceScanExec => scan.partitionFilters.exists(_.exists(isKeys))
    case _ => false
  }

  private def isKeys(e: Expression): Boolean = e.isInstanceOf[FileKeys]
}
