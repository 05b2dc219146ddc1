package io.colocate.functions.tables

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.advise.AdviseColumns
import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

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
    val filters = PlannedQueries.requiredTexts(arguments, "queries")
      .flatMap(PlannedQueries.scans(session, _, log.path.toString))
      .map(_.conjuncts.map(_.predicate))
    RowsLater(output,
      () => {
        val advised = AdviseColumns(session, log, filters)
        TableFunction.internal(advised.map(advice => Seq(advice.column, advice.readShare)))
      })
  }
}
