package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.adapt.{Adapt, AdaptOptions, AdaptReport}
import io.colocate.functions.call.{Arguments, Parameter}

/** How SQL asks to adapt a table, by a table function or by a procedure: the arguments and the row. */
private[functions] object AdaptCall {

  val parameters: Seq[Parameter] = Seq(NamedTable.Argument,
    Parameter("budget", DoubleType, Some(AdaptOptions.DefaultBudget.toString),
      "the most rows to rewrite, as a share"),
    Parameter("write_cost", DoubleType, Some(AdaptOptions.DefaultWriteCost.toString),
      "what it costs to rewrite a row, in rows read"),
    Parameter("seed", LongType, Some("0"), "the seed of the sample"),
    Parameter("dry_run", BooleanType, Some("false"), "true to write nothing"),
    Parameter("planner", StringType, Some("'replan'"), "replan, or published"))

  val schema: StructType = new StructType()
    .add("version", LongType, nullable = true)
    .add("queries", IntegerType, nullable = false)
    .add("rows_rewritten", LongType, nullable = false)
    .add("rows", LongType, nullable = false)
    .add("read_share", DoubleType, nullable = false)
    .add("read_share_after", DoubleType, nullable = false)
    .add("price_in_queries", DoubleType, nullable = true)
    .add("reason", StringType, nullable = true)
    .add("explanation", StringType, nullable = true)

  /** Checks the arguments now; the table is rewritten when the rows are asked for. */
  def apply(session: SparkSession, arguments: Arguments): () => Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val adapt = new Adapt(session, log, options(arguments))
    val dry = arguments.flag("dry_run").getOrElse(false)
    () => Seq(row(if (dry) adapt.planned() else adapt()))
  }

  private def options(arguments: Arguments): AdaptOptions = AdaptOptions(number(arguments, "budget",
    AdaptOptions.DefaultBudget, "a number above 0, up to 1")(b => b > 0 && b <= 1),
    number(arguments, "write_cost", AdaptOptions.DefaultWriteCost,
      s"a number from ${AdaptOptions.LeastWriteCost} to ${AdaptOptions.MostWriteCost}")(c =>
      c >= AdaptOptions.LeastWriteCost && c <= AdaptOptions.MostWriteCost),
    arguments.text("seed").fold(0L)(text =>
      text.trim.toLongOption.getOrElse(arguments.refuse("seed", "a whole number"))),
    arguments.oneOf("planner", Seq("replan", "published")).contains("published"))

  private def number(arguments: Arguments, name: String, default: Double, accepted: String)(
      fits: Double => Boolean): Double =
    arguments.text(name).fold(default)(text =>
      text.trim.toDoubleOption.filter(fits).getOrElse(arguments.refuse(name, accepted)))

  private def row(report: AdaptReport): Seq[Any] =
    Seq(report.version.map(Long.box).orNull, report.queries, report.rewritten, report.rows,
      report.readShare, report.readShareAfter, report.price.map(Double.box).orNull,
      report.reason.map(_.code.name).orNull, report.reason.map(_.sentence).orNull)
}
