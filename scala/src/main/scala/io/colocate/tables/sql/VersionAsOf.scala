package io.colocate.tables.sql

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.analysis._
import org.apache.spark.sql.catalyst.expressions.{Alias, Expression, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, OneRowRelation, Project, SubqueryAlias}
import org.apache.spark.sql.catalyst.util.DateTimeUtils

import io.colocate.rule.PlanRule
import io.colocate.tables.versions.{ReadOptions, TimeTravel}

/**
 * Reads an older version of a table that a query names.
 *
 * {{{
 *   orders VERSION AS OF 3                    =>  Relation Colocate[/data/orders], version 3
 *   orders WITH (version = 3)                 =>  Relation Colocate[/data/orders], version 3
 *   colocate.`/data/orders` TIMESTAMP AS OF t =>  Relation Colocate[/data/orders], as of t
 * }}}
 *
 * Runs among the hint rules, as [[PathTables]]: Spark would refuse a table of its session catalog. With
 * options it would give all mentions of one name in a query the same version, and an older version the
 * current columns. Tables of other formats, views and unknown names are left to Spark, which says what
 * is wrong with them.
 */
final case class VersionAsOf(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  private def classicSession = session.asInstanceOf[classic.SparkSession]

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case travel @ RelationTimeTravel(relation: UnresolvedRelation, timestamp, version)
        if !timestamp.exists(SubqueryExpression.hasSubquery) =>
      val read = for {
        at <- reader(relation)
        spec <- TimeTravelSpec.create(timestamp.map(resolved), version, conf.sessionLocalTimeZone)
      } yield at(Map(option(spec)))
      read.getOrElse(travel)
    case relation: UnresolvedRelation
        if !relation.isStreaming && TimeTravel.among(PathTables.options(relation)).nonEmpty =>
      reader(relation).fold[LogicalPlan](relation)(_(Map.empty))
  }

  /** Functions, such as current_timestamp(), are not resolved yet when this rule runs. */
  private def resolved(timestamp: Expression): Expression =
    if (timestamp.resolved) timestamp
    else {
      val row = Project(Seq(Alias(timestamp, "timestamp")()), OneRowRelation())
      val analyzed = classicSession.sessionState.executePlan(row).analyzed
      analyzed.expressions.head.children.head
    }

  private def option(spec: TimeTravelSpec): (String, String) = spec match {
    case AsOfVersion(number) => TimeTravel.Version -> number
    // With its zone, so that every session reads it as the same time.
    case AsOfTimestamp(micros) =>
      TimeTravel.Timestamp -> DateTimeUtils.microsToInstant(micros).toString
  }

  /** How to read a Colocate table with its options and more; None for anything else. */
  private def reader(relation: UnresolvedRelation): Option[Map[String, String] => LogicalPlan] = {
    val asked = PathTables.options(relation)
    QueriedTable.of(classicSession, relation).map { table => more =>
      val read = PathTables.read(session, asked ++ ReadOptions.among(table.options) ++ more)
      table.name.fold(read)(SubqueryAlias(_, read))
    }
  }
}
