package io.colocate.functions.tables

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}
import io.colocate.tables.scan.AskedQueries

/** `SELECT * FROM colocate_table_queries('/data/t')`: what this driver has read of it, the newest first. */
private[colocate] object TableQueriesFunction
    extends TableFunction("colocate_table_queries", Seq("table", "forget"),
      "_FUNC_(table[, forget]) - The newest queries that this driver has run on a Colocate table, by which" +
        " colocate_adapt adapts it: when, on which version, with which filters, and the rows of the files" +
        " that these left to read. They are in memory only. With forget => true they are forgotten.",
      new StructType()
        .add("time", TimestampType, nullable = false)
        .add("version", LongType, nullable = false)
        .add("filters", StringType, nullable = false)
        .add("rows", LongType, nullable = false)) {

  /** They are forgotten when the query runs: it may be analysed more than once. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val path = NamedTable.log(session, arguments).path
    if (arguments.flag("forget").contains(true))
      RowsLater(output,
        () => {
          val there = rows(path)
          AskedQueries.forget(path)
          TableFunction.internal(there)
        })
    else LocalRelation(output, TableFunction.internal(rows(path)))
  }

  private def rows(path: Path): Seq[Seq[Any]] = AskedQueries.of(path).reverse.map { query =>
    Seq(query.time * 1000, query.version, query.predicates.map(_.sql).mkString(" AND "), query.rows)
  }
}
