package io.colocate.tables.versions

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}

/** A scan of files: the node, the files as Spark knows them, and the index that lists them. */
private[tables] object TableScan {
  def unapply(plan: LogicalPlan): Option[(LogicalRelation, HadoopFsRelation, FileIndex)] =
    plan match {
      case relation: LogicalRelation =>
        relation.relation match {
          case fs: HadoopFsRelation => Some((relation, fs, fs.location))
          case _ => None
        }
      case _ => None
    }
}
