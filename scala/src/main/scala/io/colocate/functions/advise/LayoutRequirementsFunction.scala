package io.colocate.functions.advise

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{DoubleType, IntegerType, StringType, StructType}

import io.colocate.claims.declared.DeclaredTables
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.programs.{LayoutRequirements, SparkPlans}

/** `SELECT * FROM colocate_layout_requirements('["SELECT ...", "SELECT ..."]')` */
private[colocate] object LayoutRequirementsFunction
    extends ReportFunction("colocate_layout_requirements", Seq("queries", "advice"),
      "_FUNC_(queries [, advice]) - The keys by which the operators of queries (a JSON array of texts, or one text) need" +
        " their rows, each traced to columns of tables, as Spark alone plans them. A side whose key comes from several" +
        " tables has a row for each; a key that cannot be traced has one without a table. bytes is what" +
        " Spark alone shuffles of the side, as estimated: 0 if it is in place, NULL if it is unknown. Calls with the same text as `advice` optimise each query" +
        " once; tables and settings must not change between them. The queries are planned, not run.",
      new StructType()
        .add("query", IntegerType, nullable = false)
        .add("operator", IntegerType, nullable = false)
        .add("node", StringType, nullable = false)
        .add("side", IntegerType, nullable = false)
        .add("key", IntegerType, nullable = false)
        .add("table", StringType)
        .add("column", StringType)
        .add("bytes", DoubleType)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val plans = new SparkPlans(session)
    val needed = AdvisedQueries.of(session, arguments).each(arguments)(query =>
      new LayoutRequirements(plans, new DeclaredTables(session.sessionState.conf)).of(
        plans.ofOptimized(query.stock)))
    for {
      (requirements, query) <- needed.zipWithIndex
      found <- requirements
      (table, column) <-
        if (found.columns.isEmpty) Seq((null, null)) else found.columns.toSeq.sorted
    } yield Seq(query, found.operator, found.node, found.side, found.key, table, column,
      found.bytes.getOrElse(null))
  }
}
