package io.colocate.advise.layouts

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

/**
 * A query as if tables were stored in other buckets, to be planned and never run.
 *
 * {{{
 *   orders, in no buckets        with (orders, o_id, 8):
 *   Relation [o_id, o_total]     Relation [o_id, o_total], bucketed by o_id into 8
 * }}}
 *
 * Only the buckets that a scan states are replaced: the files and the statistics stay, so sizes are estimated
 * as before. A scan has them in views, subqueries and CTEs too, and so has each scan of a self join.
 *
 * Counter-example: a table that is read from Spark's cache lies as the cache holds it.
 */
private[layouts] object AsIf {

  def apply(query: LogicalPlan, layouts: Seq[TableLayout]): LogicalPlan =
    query.transformUpWithSubqueries { case scan: LogicalRelation =>
      val table = StoredTable.of(scan)
      layouts.find(layout => table.contains(layout.table)).fold(scan)(bucketed(scan, _))
    }

  private def bucketed(scan: LogicalRelation, layout: TableLayout) = scan.relation match {
    case files: HadoopFsRelation =>
      scan.copy(relation = files.copy(bucketSpec = Some(layout.spec))(files.sparkSession))
    case _ => scan
  }
}
