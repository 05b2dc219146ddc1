package io.colocate.claims.declared

import java.util.{Collections, LinkedHashMap, Map => JavaMap}

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

import io.colocate.facts.proved.{DeclaredCheck, TableVersion, VersionedFiles}
import io.colocate.rule.Declaration

/**
 * Reads the version of a table that a query is planned for, all of it, before the query relies on what is
 * declared. What was true of a version stays true of it, and is not looked at again.
 */
final private class CheckBeforeUse(
    @transient session: SparkSession,
    @transient relation: LogicalPlan,
    @transient read: TableRead,
    @transient stated: Stated,
    @transient conf: SQLConf)
    extends DeclaredCheck {
  import CheckBeforeUse._

  override def run(): Unit = {
    val known = read.version.map(_ -> stated.declaration.copy(rely = true))
    if (!known.exists(isTrue.containsKey)) {
      new DependencyCheck(session, whole(relation), conf).apply(read, stated)
      known.foreach(isTrue.put(_, ()))
    }
  }
}

private object CheckBeforeUse {

  private val Remembered = 64

  private val isTrue: JavaMap[(TableVersion, Declaration), Unit] =
    Collections.synchronizedMap(new LinkedHashMap[(TableVersion, Declaration), Unit] {
      override def removeEldestEntry(
          eldest: JavaMap.Entry[(TableVersion, Declaration), Unit]): Boolean = size > Remembered
    })

  /** The table without what this query prunes and pushes down. */
  private def whole(relation: LogicalPlan): LogicalPlan = relation match {
    case files: LogicalRelation =>
      files.relation match {
        case fs: HadoopFsRelation =>
          fs.location match {
            case some: VersionedFiles =>
              LogicalRelation(fs.copy(location = some.whole, partitionSchema = new StructType())(
                  fs.sparkSession))
            case _ => files
          }
        case _ => files
      }
    case scan: DataSourceV2ScanRelation => scan.relation
    case other => other
  }
}
