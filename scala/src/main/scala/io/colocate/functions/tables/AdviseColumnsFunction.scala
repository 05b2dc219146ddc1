package io.colocate.functions.tables

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.json.JsonMapper

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.FileSourceScanLike
import org.apache.spark.sql.types._

import io.colocate.advise.AdviseColumns
import io.colocate.explain.plan.PlanWalk
import io.colocate.explain.view.BeforeAfter
import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}
import io.colocate.tables.scan.PinnedFileIndex

/** `SELECT * FROM colocate_advise_columns('/data/t', '["SELECT ...", "SELECT ..."]')` */
private[colocate] object AdviseColumnsFunction
    extends TableFunction("colocate_advise_columns", Seq("table", "queries"),
      "_FUNC_(table, queries) - For each column of a Colocate table, the share of its rows that the queries (a" +
        " JSON array of texts) would read if that column alone were cut. The queries are planned, not" +
        " run; a sample of the table is read.",
      new StructType()
        .add("column", StringType, nullable = false)
        .add("read_share", DoubleType, nullable = false)) {

  /** The arguments are checked now; the rows of the table are read when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val log = NamedTable.log(session, arguments)
    val filters = queries(arguments).flatMap(filtersOn(session, _, log.path.toString))
    RowsLater(output,
      () => {
        val advised = AdviseColumns(session, log, filters)
        TableFunction.internal(advised.map(advice => Seq(advice.column, advice.readShare)))
      })
  }

  private def queries(arguments: Arguments): Seq[String] = {
    val accepted = "a JSON array of query texts"
    val text = arguments.required("queries", accepted)
    Try(mapper.readTree(text)).toOption.filter(_.isArray)
      .map(_.elements.asScala.map(_.asText).toSeq)
      .getOrElse(arguments.refuse("queries", accepted))
  }

  /** The conditions of each scan of the table, as the optimiser pushes them down to it. */
  private def filtersOn(
      session: SparkSession,
      query: String,
      table: String): Seq[Seq[Expression]] = {
    val plan =
      BeforeAfter.plan(session, session.sessionState.sqlParser.parsePlan(query)).executedPlan
    PlanWalk.all(plan).collect { case scan: FileSourceScanLike => scan.relation.location }
      .collect { case files: PinnedFileIndex => files.pruned }.flatten
      .filter(_.table == table).map(_.conjuncts.map(_.predicate))
  }

  private val mapper = JsonMapper.builder().build()
}
