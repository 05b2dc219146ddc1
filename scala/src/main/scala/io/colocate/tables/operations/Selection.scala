package io.colocate.tables.operations

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.ComputeCurrentTime
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf

import io.colocate.tables.commit.RememberedSettings
import io.colocate.tables.format.InvalidOption

/**
 * The rows that a predicate selects, for plans that have the same columns. The current time is evaluated
 * once, so files, existing rows and new rows are checked by the same condition.
 */
final private[tables] class Selection private (
    predicate: String,
    condition: Expression,
    settings: Option[String],
    conf: SQLConf) {

  /** For the commit, so that its changes can be told apart later. */
  def parameters: Map[String, String] =
    Map(WriteOptions.ReplaceWhere -> predicate) ++ settings.map(RememberedSettings.Key -> _)

  /** A filter drops NULL anyway. */
  def selected(plan: LogicalPlan): LogicalPlan = Filter(bound(plan), plan)

  def others(plan: LogicalPlan): LogicalPlan = Filter(Not(isTrue(plan)), plan)

  /** Fails the query at a row that is not selected. */
  def required(plan: LogicalPlan): LogicalPlan =
    Filter(If(isTrue(plan), Literal.TrueLiteral, fails), plan)

  /** NULL selects nothing. */
  private def isTrue(plan: LogicalPlan): Expression =
    Coalesce(Seq(bound(plan), Literal.FalseLiteral))

  private def bound(plan: LogicalPlan): Expression = condition.transform { case a: Attribute =>
    plan.output.find(column => conf.resolver(column.name, a.name)).getOrElse(a)
  }

  private def fails: Expression = new RaiseError(Literal(
      s"[COLOCATE_TABLE_REPLACE_WHERE] A row to be written is not selected by ${WriteOptions.ReplaceWhere}" +
        s" = '$predicate'; accepted: rows for which it is true. Nothing was written."))
}

private[tables] object Selection {

  /**
   * @param over a plan with the columns that the predicate names
   * @throws InvalidOption for a predicate with a subquery, or one whose value for a row may vary
   */
  def apply(session: SparkSession, predicate: String, over: LogicalPlan): Selection = {
    def refuse(accepted: String) =
      throw new InvalidOption(WriteOptions.ReplaceWhere, predicate, accepted)
    val parsed = session.sessionState.sqlParser.parseExpression(predicate)
    val analyzed = session.sessionState.executePlan(Filter(parsed, over)).analyzed
    ComputeCurrentTime(analyzed) match {
      case Filter(condition, _) if SubqueryExpression.hasSubquery(condition) =>
        refuse("a predicate over the table's own columns, without a subquery")
      case Filter(condition, _) if !condition.deterministic =>
        refuse("a predicate that is the same for a row whenever it is asked")
      case Filter(condition, _) =>
        val conf = session.sessionState.conf
        val settings = analyzed.expressions.headOption.flatMap(RememberedSettings.of(_, conf))
        new Selection(predicate, condition, settings, conf)
      case _ => refuse("a predicate over the table's own columns")
    }
  }
}
