package io.colocate.tables.versions

import scala.reflect.ClassTag

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}

/** A scan of files: the node, the files as Spark knows them, and the index that lists them. */
private[tables] object TableScan {

  /** Whether a plan or a subquery of it has a scan of such files; most plans have none. */
  def isIn[T <: FileIndex: ClassTag](plan: LogicalPlan): Boolean =
    isSomewhere(plan) {
      case TableScan(_, _, _: T) => true
      case _ => false
    }

  /** Whether a plan or a subquery of it has such a node. Plans without a subquery are not searched for any. */
  def isSomewhere(plan: LogicalPlan)(node: LogicalPlan => Boolean): Boolean =
    plan.exists(node) ||
      plan.containsPattern(PLAN_EXPRESSION) && plan.subqueriesAll.exists(_.exists(node))

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
