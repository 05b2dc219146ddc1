package io.colocate.explain

import scala.util.Try

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}

import io.colocate.rule.ColocateConf

/**
 * Names the explain provider in a session that got the extension by `spark.sql.extensions` alone,
 * when it analyses its first query or the first after a RESET, and takes the name away while
 * `spark.colocate.explain.enabled` is false, as Spark prints the title of each provider that is named.
 * Whoever sets `spark.sql.extendedExplainProviders` otherwise is left alone. It is a rule because an extension has
 * no other moment at which the session's settings exist; it never changes a plan.
 */
final case class ExplainSetup(session: SparkSession) extends Rule[LogicalPlan] {
  // The switch as it was when the providers were last seen to.
  @volatile private var seen: Option[Boolean] = None

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val on = ExplainSetup.on(session)
    if (!seen.contains(on) || on && session.conf.getOption(ExplainSetup.Key).isEmpty) {
      seen = Some(on)
      ExplainSetup.name(session, on)
    }
    plan
  }
}

object ExplainSetup {
  private[explain] val Key = "spark.sql.extendedExplainProviders"
  private[explain] val Provider = classOf[ColocateExplainProvider].getName

  /** The session's own setting: that of a rule may be the one a view was made under. */
  private def on(session: SparkSession): Boolean = {
    val conf = session.asInstanceOf[ClassicSession].sessionState.conf
    // What is no setting is said when the query is planned.
    Try(ColocateConf.ExplainEnabled(conf)).getOrElse(true)
  }

  private def name(session: SparkSession, on: Boolean): Unit = {
    val present = session.conf
      .getOption(Key)
      .toSeq
      .flatMap(_.split(','))
      .map(_.trim)
      .filter(_.nonEmpty)
    if (on != present.contains(Provider)) {
      val wanted = if (on) present :+ Provider else present.filterNot(_ == Provider)
      if (wanted.isEmpty) session.conf.unset(Key) else session.conf.set(Key, wanted.mkString(","))
    }
  }
}
