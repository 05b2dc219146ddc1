package io.colocate.functions.procedures

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.analysis.{ResolvedNamespace, ResolvedProcedure, UnresolvedNamespace, UnresolvedProcedure}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.execution.command.{DescribeProcedureCommand, ShowProceduresCommand}

import io.colocate.rule.PlanRule

/**
 * Finds our procedures.
 *
 * {{{
 *   CALL colocate.adapt('t')     =>  Call colocate.adapt, resolved
 *   SHOW PROCEDURES IN colocate  =>  ShowProcedures of our catalog
 * }}}
 *
 * Runs among the hint rules, before Spark looks for a procedure. A catalog among the session's settings would
 * need no rule, but it would hide a database of the name `colocate`. Counter-example: a user's own catalog
 * of this name keeps all its procedures.
 */
final case class NameProcedures(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  private lazy val ours = new ColocateCatalog

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedProcedure(catalog +: parts) if parts.nonEmpty && isOurs(catalog) =>
      val name = Identifier.of(parts.init.toArray, parts.last)
      ResolvedProcedure(ours, name, ours.loadProcedure(name))
    case describe @ DescribeProcedureCommand(found @ ResolvedProcedure(_, _, ours: UnboundCall),
          _) =>
      describe.copy(child = found.copy(procedure = ours.described))
    case show @ ShowProceduresCommand(UnresolvedNamespace(Seq(catalog), _), _) if isOurs(catalog) =>
      show.copy(child = ResolvedNamespace(ours, Nil))
  }

  private def isOurs(catalog: String): Boolean =
    catalog.equalsIgnoreCase(Procedures.Catalog) &&
      !session.asInstanceOf[classic.SparkSession].sessionState.catalogManager
        .isCatalogRegistered(catalog)
}
