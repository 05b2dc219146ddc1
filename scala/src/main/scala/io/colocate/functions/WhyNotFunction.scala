package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{StringType, StructType}

import io.colocate.explain.view.{BeforeAfter, Json, QueryReport}
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.report.{ExchangeReasons, Finding, Reason, ReasonCodes}
import io.colocate.rule.Switch

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

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val query = arguments.required("query", "the text of a query")
    val asked = arguments.oneOf("capability", ReasonCodes.capabilities)
    val plan =
      BeforeAfter.plan(session, session.sessionState.sqlParser.parsePlan(query)).executedPlan
    val off = switchedOff(session.sessionState.conf, asked, plan.nodeName)
    val on =
      if (Switch.All.on(session.sessionState.conf)) QueryReport.of(plan).kept.map(found) else Nil
    (off ++ on.filterNot(row => off.exists(_.capability == row.capability)))
      .filter(row => asked.forall(_ == row.capability)).map(_.values)
  }

  private case class Kept(
      capability: String,
      operator: String,
      reason: Reason,
      about: Seq[String] = Nil) {

    def values: Seq[Any] = {
      val arguments = reason.args ++
        (if (reason.args.exists(_._1 == "required") || about.isEmpty) Nil
         else Seq("required" -> about.mkString(", ")))
      Seq(capability, operator, reason.code.name, reason.sentence, Json.of(arguments))
    }
  }

  private def found(finding: Finding): Kept =
    Kept(finding.capability, finding.place, finding.reason, finding.about)

  /** What settings switch off; the master switch is listed once, unless a capability is asked for. */
  private def switchedOff(conf: SQLConf, asked: Option[String], operator: String): Seq[Kept] = {
    val all = Switch.capabilities.flatMap(switch => switch.off(conf).map(switch.capability -> _))
    val (master, own) = all.partition(_._2 == Switch.All)
    val named = master.filter { case (capability, _) => asked.contains(capability) }
    ((if (named.isEmpty) master.take(1) else named) ++ own).map { case (capability, switch) =>
      Kept(capability, operator,
        Reason(ExchangeReasons.SwitchedOff, "key" -> switch.key.key, "value" -> switch.value))
    }
  }
}
