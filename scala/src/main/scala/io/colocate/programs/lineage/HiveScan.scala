package io.colocate.programs.lineage

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.execution.SparkPlan

/**
 * The table that a scan reads which is in a format of Hive's. The scan's class is in a jar that a session may
 * lack, so it is known by the relation among its arguments.
 */
private[lineage] object HiveScan {

  def unapply(scan: SparkPlan): Option[TableIdentifier] = scan.productIterator.collectFirst {
    case relation: HiveTableRelation => relation.tableMeta.identifier
  }
}
