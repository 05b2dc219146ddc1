package io.colocate.functions.adapt

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.adapt.{Adapt, AdaptOptions, AdaptReport}
import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.functions.tables.NamedTable

/** How SQL asks to adapt a table, by a table function or by a procedure: the arguments and the row. */
private[functions] object AdaptCall {

  val parameters: Seq[Parameter] = Seq(NamedTable.Argument,
    Parameter("budget", DoubleType, Some(AdaptOptions.DefaultBudget.toString),
      "the most rows to rewrite, as a share"),
    Parameter("write_cost", DoubleType, Some("NULL"),
      "what it costs to rewrite a row, in rows read; NULL for what was measured"),
    Parameter("seed", LongType, Some("0"), "the seed of the sample"),
    Parameter("dry_run", BooleanType, Some("false"), "true to write nothing"),
    Parameter("planner", StringType, Some("'replan'"), "replan, or published"),
    Parameter("queries", StringType, Some("NULL"), "a JSON array of SQL texts, which are planned"),
    Parameter("event_log", StringType, Some("NULL"), "the path of an event log of Spark"))

  val schema: StructType = new StructType()
    .add("version", LongType, nullable = true)
    .add("queries", IntegerType, nullable = false)
    .add("rows_rewritten", LongType, nullable = false)
    .add("rows", LongType, nullable = false)
    .add("read_share", DoubleType, nullable = false)
    .add("read_share_after", DoubleType, nullable = false)
    .add("write_cost", DoubleType, nullable = false)
    .add("price_in_queries", DoubleType, nullable = true)
    .add("reason", StringType, nullable = true)
    .add("explanation", StringType, nullable = true)
    .add("join_key", StringType, nullable = true)

  /** Checks the arguments now; the table is rewritten when the rows are asked for. */
  def apply(session: SparkSession, arguments: Arguments): () => Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val published = arguments.oneOf("planner", Seq("replan", "published")).contains("published")
    val options = AdaptArguments(arguments, published)
    val given_ = GivenQueries(session, log, arguments)
    val dry = arguments.flag("dry_run").getOrElse(false)
    () => {
      val adapt = new Adapt(session, log, options.copy(queries = given_.map(_())))
      Seq(row(if (dry) adapt.planned() else adapt()))
    }
  }

  private def row(report: AdaptReport): Seq[Any] =
    Seq(report.version.map(Long.box).orNull, report.queries, report.rewritten, report.rows,
      report.readShare, report.readShareAfter, report.writeCost,
      report.price.map(Double.box).orNull, report.reason.map(_.code.name).orNull,
      report.reason.map(_.sentence).orNull, report.joinKey.map(_.mkString(", ")).orNull)
}
