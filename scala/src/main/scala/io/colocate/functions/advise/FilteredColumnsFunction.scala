package io.colocate.functions.advise

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{IntegerType, StringType, StructType}

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.programs.{FilteredColumns, SparkPlans}

/** `SELECT * FROM colocate_filtered_columns('["SELECT ..."]')` */
private[colocate] object FilteredColumnsFunction
    extends ReportFunction("colocate_filtered_columns", Seq("queries"),
      "_FUNC_(queries) - The columns of tables by which queries (a JSON array of texts, or one text) filter what" +
        " they read of them. Conditions of joins are none. The queries are planned, not run.",
      new StructType()
        .add("query", IntegerType, nullable = false)
        .add("table", StringType, nullable = false)
        .add("column", StringType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val plans = new SparkPlans(session)
    val filtered = new FilteredColumns(plans)
    for {
      (plan, query) <- new GivenQueries(session, arguments, "queries").each(plans.of).zipWithIndex
      (table, column) <- filtered.of(plan)
    } yield Seq(query, table, column)
  }
}
