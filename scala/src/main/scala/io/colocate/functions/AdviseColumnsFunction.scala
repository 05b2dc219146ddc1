package io.colocate.functions

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.json.JsonMapper

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.advise.AdviseColumns
import io.colocate.explain.plan.PlanWalk
import io.colocate.explain.view.{BeforeAfter, ScanLines}

/** `SELECT * FROM colocate_advise_columns('/data/t', '["SELECT ...", "SELECT ..."]')` */
private[colocate] object AdviseColumnsFunction
    extends ReportFunction("colocate_advise_columns", Seq("table", "queries"),
      "_FUNC_(table, queries) - For each column of a Colocate table, the share of its rows that the queries (a" +
        " JSON array of texts) would read if that column alone were cut. The queries are planned, not" +
        " run; a sample of the table is read.",
      new StructType()
        .add("column", StringType, nullable = false)
        .add("read_share", DoubleType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val texts = queries(arguments)
    val filters = texts.flatMap(filtersOn(session, _, log.path.toString))
    AdviseColumns(session, log, filters).map(advice => Seq(advice.column, advice.readShare))
  }

  private def queries(arguments: Arguments): Seq[String] = {
    val accepted = "a JSON array of query texts"
    val text = arguments.required("queries", accepted)
    Try(mapper.readTree(text)).toOption.filter(_.isArray)
      .map(_.elements.asScala.map(_.asText).toSeq)
      .getOrElse(arguments.refuse("queries", accepted))
  }

  /** The conditions of each scan of the table, as the optimiser brings them down to it. */
  private def filtersOn(
      session: SparkSession,
      query: String,
      table: String): Seq[Seq[Expression]] = {
    val plan =
      BeforeAfter.plan(session, session.sessionState.sqlParser.parsePlan(query)).executedPlan
    ScanLines.scans(PlanWalk.parts(plan)).filter(_.table == table).map(_.conjuncts.map(_.predicate))
  }

  private val mapper = JsonMapper.builder().build()
}
