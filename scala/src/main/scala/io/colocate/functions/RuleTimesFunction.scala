package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{DoubleType, LongType, StringType, StructType}

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.rule.RuleTimes

/** `SELECT * FROM colocate_rule_times()` */
private[colocate] object RuleTimesFunction
    extends ReportFunction("colocate_rule_times", Nil,
      "_FUNC_() - How often each rule of Colocate ran since the driver started, and for how many" +
        " seconds in all: what it adds to planning.",
      new StructType()
        .add("rule", StringType, nullable = false)
        .add("calls", LongType, nullable = false)
        .add("seconds", DoubleType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] =
    RuleTimes.soFar.map { case (rule, calls, seconds) => Seq(rule, calls, seconds) }
}
