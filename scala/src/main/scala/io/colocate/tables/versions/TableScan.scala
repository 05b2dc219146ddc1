package io.colocate.tables.versions

import scala.reflect.ClassTag

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}

import io.colocate.rule.Statements

/** A scan of files: the node, the files as Spark knows them, and the index that lists them. */
private[tables] object TableScan {

  /** Whether a plan or a subquery of it has a scan of such files; most plans have none. */
  def isIn[T <: FileIndex: ClassTag](plan: LogicalPlan): Boolean =
    Statements.have(plan) {
      case TableScan(_, _, _: T) => true
      case _ => false
    }

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
