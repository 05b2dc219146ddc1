package io.colocate.functions.tables

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.adapt.{Adapt, AdaptReport}
import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_adapt('/data/t')`: adapts a table to its queries, or says what it would do. */
private[colocate] object AdaptFunction
    extends TableFunction("colocate_adapt",
      Seq("table", "budget", "write_cost", "seed", "dry_run", "planner"),
      "_FUNC_(table[, budget][, write_cost][, seed][, dry_run][, planner]) - Writes a part of a Colocate table anew, for" +
        " the queries that this driver has run on it, where that pays. budget is the most rows to rewrite, as" +
        " a share of the table's, 0.25 by default; write_cost what it costs to rewrite a row, in rows read, 8" +
        " by default. With dry_run => true nothing is written. planner is replan, or published. price_in_queries is after how many such queries" +
        " the rewriting has paid.",
      new StructType()
        .add("version", LongType, nullable = true)
        .add("queries", IntegerType, nullable = false)
        .add("rows_rewritten", LongType, nullable = false)
        .add("rows", LongType, nullable = false)
        .add("read_share", DoubleType, nullable = false)
        .add("read_share_after", DoubleType, nullable = false)
        .add("price_in_queries", DoubleType, nullable = true)
        .add("reason", StringType, nullable = true)
        .add("explanation", StringType, nullable = true)) {

  /** The arguments are checked now; the table is rewritten when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val log = NamedTable.log(session, arguments)
    val options = AdaptArguments(arguments,
      arguments.oneOf("planner", Seq("replan", "published")).contains("published"))
    val adapt = new Adapt(session, log, options)
    val dry = arguments.flag("dry_run").getOrElse(false)
    RowsLater(output, () => TableFunction.internal(Seq(row(if (dry) adapt.planned() else adapt()))))
  }

  private def row(report: AdaptReport): Seq[Any] =
    Seq(report.version.map(Long.box).orNull, report.queries, report.rewritten, report.rows,
      report.readShare, report.readShareAfter, report.price.map(Double.box).orNull,
      report.reason.map(_.code.name).orNull, report.reason.map(_.sentence).orNull)
}
