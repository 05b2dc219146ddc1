package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{StringType, StructType}

import io.colocate.exchange.memory.Decline
import io.colocate.explain.view.{BeforeAfter, Json, QueryReport}
import io.colocate.report.{Reason, ReasonCode}
import io.colocate.rule.{ColocateConf, ConfEntry}

/** `SELECT * FROM colocate_why_not('SELECT ...', 'exchange')` */
private[colocate] object WhyNotFunction
    extends ReportFunction("colocate_why_not", Seq("query", "capability"),
      "_FUNC_(query [, capability]) - Why Spark's own choice was kept in the plan of a query, a row for" +
        " each place. The query is planned, not run.",
      new StructType()
        .add("capability", StringType, nullable = false)
        .add("operator", StringType, nullable = false)
        .add("code", StringType, nullable = false)
        .add("message", StringType, nullable = false)
        .add("arguments", StringType, nullable = false)) {

  private val capabilities = ReasonCode.all.map(_.capability).distinct

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val query = arguments.required("query", "the text of a query")
    val capability = arguments.oneOf("capability", capabilities)
    declines(session, query)
      .filter(decline => capability.forall(_ == decline.reason.code.capability))
      .map(row)
  }

  private def declines(session: SparkSession, query: String): Seq[Decline] = {
    val plan = BeforeAfter.plan(session, session.sessionState.sqlParser.parsePlan(query))
    val conf = session.sessionState.conf
    def off(switch: ConfEntry[Boolean]): Option[Decline] = Option.when(!switch(conf)) {
      Decline(plan.executedPlan.nodeName,
        Reason(ReasonCode.SwitchedOff, "key" -> switch.key, "value" -> "false"))
    }
    off(ColocateConf.Enabled).map(Seq(_)).getOrElse {
      val report = QueryReport.of(plan.executedPlan)
      off(ColocateConf.ExchangeEnabled).toSeq ++ report.declines ++
        report.hyperJoins.filterNot(_.chosen).map(j => Decline("Join", Seq(j.join), j.reason)) ++
        report.multiway.filterNot(_.chosen).map(j => Decline("Join", Seq(j.joins), j.reason))
    }
  }

  private def row(decline: Decline): Seq[Any] = {
    val Decline(operator, required, reason) = decline
    val arguments = reason.args ++
      (if (reason.args.exists(_._1 == "required") || required.isEmpty) Nil
       else Seq("required" -> required.mkString(", ")))
    Seq(reason.code.capability, operator, reason.code.name, reason.sentence, Json.of(arguments))
  }
}
