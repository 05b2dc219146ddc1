package io.colocate.tables.sql

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.datasources.{DataSource, LogicalRelation}

import io.colocate.rule.PlanRule
import io.colocate.tables.operations.WriteOptions

/**
 * Lets SQL name a table by its path, as it can name Parquet files.
 *
 * {{{
 *   SELECT * FROM colocate.`/data/orders`  =>  Relation Colocate[/data/orders]
 * }}}
 *
 * Runs among the hint rules, which come before Spark looks for tables: Spark allows such names only for file
 * formats, and would refuse a source with a log. A name with a slash in it can hardly be that of a table in
 * a database called `colocate`. Spark's single-pass analyser, off by default, does not run such rules.
 */
final case class PathTables(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case relation @ PathTables.Named(path) if conf.runSQLonFile && !relation.isStreaming =>
      PathTables.read(session, PathTables.options(relation) + (WriteOptions.Path -> path))
  }
}

object PathTables {

  /** A relation that is named by a path. */
  object Named {
    def unapply(relation: UnresolvedRelation): Option[String] =
      relation.multipartIdentifier match {
        case Seq(format, path)
            if format.equalsIgnoreCase(ColocateSource.ShortName) && path.contains('/') =>
          Some(path)
        case _ => None
      }
  }

  /** The options that the user gave in WITH (...); Spark adds what a DELETE or UPDATE may do. */
  def options(relation: UnresolvedRelation): Map[String, String] =
    relation.options.asCaseSensitiveMap.asScala.toMap - UnresolvedRelation.REQUIRED_WRITE_PRIVILEGES

  /** A table, as a reader of the format with these options finds it. */
  def read(session: SparkSession, options: Map[String, String]): LogicalPlan = {
    val source = DataSource(session.asInstanceOf[classic.SparkSession],
      className = ColocateSource.ShortName, options = options)
    LogicalRelation(source.resolveRelation())
  }
}
