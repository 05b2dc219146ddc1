package io.colocate.programs

import org.apache.spark.sql.catalyst.expressions.{DynamicPruning, Expression, IsNotNull}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}

import io.colocate.programs.lineage.Inputs

/**
 * By which columns a query filters the files that it reads, each with the name of its table. That a key is not NULL, as
 * every join asks, is no filter.
 */
final class FilteredColumns(plans: SparkPlans) {

  private val inputs = new Inputs

  def of(query: SparkPlan): Seq[(String, String)] = plans.operators(query).collect {
    case scan: FileSourceScanExec =>
      (scan.dataFilters ++ scan.partitionFilters).filterNot(isNone).flatMap(_.references)
        .map(column => inputs.of(scan).name -> column.name)
  }.flatten.distinct.sorted

  private def isNone(filter: Expression): Boolean = filter match {
    case _: IsNotNull => true
    case other => other.exists(_.isInstanceOf[DynamicPruning])
  }
}
