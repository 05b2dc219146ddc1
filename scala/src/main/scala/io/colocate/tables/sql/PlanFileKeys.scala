package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, Expression}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FileSourceScanExec, InSubqueryExec, SparkPlan}

import io.colocate.tables.scan.{AnyKeyInFile, FileKeys}

/**
 * Once Spark has planned the subquery of a filter that [[PruneByJoin]] made, asks for each file
 * whether its range holds one of the keys, where Spark would look for one value among them.
 *
 * {{{
 *   dynamicpruning (keys(day) in file IN subquery)  =>  dynamicpruning (file may hold one of subquery)
 * }}}
 *
 * A columnar rule, as no other is called with adaptive execution on and off, after dynamic pruning.
 */
final case class PlanFileKeys() extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = Asking

  private object Asking extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
      case scan: FileSourceScanExec if scan.partitionFilters.exists(_.exists(isKeys)) =>
        scan.copy(partitionFilters = scan.partitionFilters.map(_.transform {
          case DynamicPruningExpression(keys @ InSubqueryExec(FileKeys(file, _, ranges), _, _, _, _,
                _)) =>
            DynamicPruningExpression(AnyKeyInFile(file, keys, ranges))
        }))
    }

    private def isKeys(e: Expression): Boolean = e.isInstanceOf[FileKeys]
  }
}
