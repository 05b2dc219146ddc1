package io.colocate.functions.adapt

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_adapt('/data/t')`: adapts a table to its queries, or says what it would do. */
private[colocate] object AdaptFunction
    extends TableFunction("colocate_adapt", AdaptCall.parameters.map(_.name),
      "_FUNC_(table[, budget][, write_cost][, seed][, dry_run][, planner][, queries][, event_log]) - Writes a part of a Colocate table anew, for" +
        " its newest queries, where that pays. budget is the most rows to rewrite, as" +
        " a share of the table's, 0.25 by default; write_cost what it costs to rewrite a row, in rows read, by" +
        " default what was measured when the table was last adapted, and 8 before. queries is a JSON array of SQL" +
        " texts, which are planned and not run, and event_log the path of an event log of Spark; with either the" +
        " queries that are known of the table are not looked at. With dry_run => true nothing is written. planner is" +
        " replan, or published. price_in_queries is after how many such queries the rewriting has paid. It acts" +
        " each time that the query runs; CALL colocate.adapt acts once.", AdaptCall.schema) {

  /** The arguments are checked now; the table is rewritten when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val rows = AdaptCall(session, arguments)
    RowsLater(output, () => TableFunction.internal(rows()))
  }
}
