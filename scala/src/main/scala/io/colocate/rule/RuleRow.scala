package io.colocate.rule

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}

/**
 * One row of the table of rules in [[io.colocate.ColocateExtensions]].
 *
 * @param name   the unique name in colocate_rule_times(), in logs and in Spark's own metrics of rules
 * @param does   what the rule does, in a few words
 * @param switch what switches the rule off; None if without it a query would fail or be wrong
 * @param phases when Spark runs it; each phase has an instance of the rule
 */
final class RuleRow[In, Out] private (
    val name: String,
    val does: String,
    val switch: Option[Switch],
    val phases: Seq[Phase[In, Out]],
    run: (SparkSession) => In => Out) {

  def inject(extensions: SparkSessionExtensions): Unit =
    phases.foreach(_.inject(extensions, name, run))
}

object RuleRow {

  def optional[In, Out](name: String, switch: Switch, phases: Phase[In, Out]*)(does: String)(
      make: SparkSession => OptionalRule[In, Out]): RuleRow[In, Out] =
    new RuleRow(name, does, Some(switch), phases,
      session => RuleRunner.optional(name, switch, make(session)))

  def needed[In, Out](name: String, phases: Phase[In, Out]*)(does: String)(
      make: SparkSession => PlanRule[In, Out]): RuleRow[In, Out] =
    new RuleRow(name, does, None, phases, session => RuleRunner.needed(name, make(session)))
}
