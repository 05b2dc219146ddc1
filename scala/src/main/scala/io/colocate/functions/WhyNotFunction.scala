package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{StringType, StructType}

import io.colocate.exchange.memory.Decline
import io.colocate.explain.view.{BeforeAfter, Json, QueryReport, ScanLines}
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.report.{ExchangeReasons, Reason, ReasonCodes}
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

  private val capabilities = ReasonCodes.all.map(_.capability).distinct

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val query = arguments.required("query", "the text of a query")
    val asked = arguments.oneOf("capability", capabilities)
    declines(session, query, asked).filter { case (capability, _) => asked.forall(_ == capability) }
      .map { case (capability, decline) => row(capability, decline) }
  }

  /** Each with the capability that declined. */
  private def declines(
      session: SparkSession,
      query: String,
      asked: Option[String]): Seq[(String, Decline)] = {
    val plan =
      BeforeAfter.plan(session, session.sessionState.sqlParser.parsePlan(query)).executedPlan
    val off = switchedOff(session.sessionState.conf, asked).map { case (capability, reason) =>
      capability -> Decline(plan.nodeName, reason)
    }
    val report = QueryReport.of(plan)
    val found = report.declines ++ report.scans.flatMap(ScanLines.declines) ++
      report.hyperJoins.filterNot(_.chosen).map(j => Decline("Join", Seq(j.join), j.reason)) ++
      report.multiway.filterNot(_.chosen).map(j => Decline("Join", Seq(j.joins), j.reason))
    val on = found.map(d => d.reason.code.capability -> d)
    if (!ColocateConf.Enabled(session.sessionState.conf)) off
    else off ++ on.filterNot { case (capability, _) => off.exists(_._1 == capability) }
  }

  /** The capabilities that a setting switches off; one for all, where none is asked for. */
  private def switchedOff(conf: SQLConf, asked: Option[String]): Seq[(String, Reason)] = {
    def off(entry: ConfEntry[_], value: String) =
      Reason(ExchangeReasons.SwitchedOff, "key" -> entry.key, "value" -> value)
    if (!ColocateConf.Enabled(conf))
      Seq(asked.getOrElse(capabilities.head) -> off(ColocateConf.Enabled, "false"))
    else {
      val switches = Seq("exchange" -> ColocateConf.ExchangeEnabled,
        "layout" -> ColocateConf.LayoutEnabled, "hyperjoin" -> ColocateConf.LayoutEnabled)
      val modes =
        Seq("hyperjoin" -> ColocateConf.HyperJoinMode, "multiway" -> ColocateConf.MultiwayMode)
      (switches.collect { case (name, key) if !key(conf) => name -> off(key, "false") } ++
        modes.collect { case (name, key) if key(conf) == "off" => name -> off(key, "off") })
        .distinctBy(_._1)
    }
  }

  private def row(capability: String, decline: Decline): Seq[Any] = {
    val Decline(operator, required, reason) = decline
    val arguments = reason.args ++
      (if (reason.args.exists(_._1 == "required") || required.isEmpty) Nil
       else Seq("required" -> required.mkString(", ")))
    Seq(capability, operator, reason.code.name, reason.sentence, Json.of(arguments))
  }
}
