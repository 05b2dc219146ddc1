package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{IntegerType, LongType, StringType, StructType}

import io.colocate.explain.PlanHistory
import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT * FROM colocate_last_plan(5)` */
private[colocate] object LastPlanFunction
    extends ReportFunction("colocate_last_plan", Seq("n"),
      "_FUNC_([n]) - The last queries that ran in this session (one, or n), the newest first, with" +
        " the plan that adaptive execution ended with.",
      new StructType()
        .add("execution_id", LongType, nullable = false)
        .add("description", StringType, nullable = false)
        .add("exchanges", IntegerType, nullable = false)
        .add("stock_exchanges", IntegerType, nullable = false)
        .add("report", StringType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] =
    PlanHistory.recent(session, arguments.number("n", least = 1).getOrElse(1)).map { record =>
      Seq(record.executionId, record.description, record.exchanges, record.stockExchanges,
        record.report)
    }
}
