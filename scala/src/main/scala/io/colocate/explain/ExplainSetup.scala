package io.colocate.explain

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/**
 * Names the explain provider in a session that got the extension by `spark.sql.extensions` alone,
 * when it analyses its first query. Whoever sets `spark.sql.extendedExplainProviders` afterwards is
 * left alone. It is a rule because an extension has no other moment at which the session's settings
 * exist; it never changes a plan.
 */
final case class ExplainSetup(session: SparkSession) extends Rule[LogicalPlan] {
  @volatile private var done = false

  override def apply(plan: LogicalPlan): LogicalPlan = {
    if (!done) {
      done = true
      ExplainSetup.register(session)
    }
    plan
  }
}

object ExplainSetup {
  private[explain] val Key = "spark.sql.extendedExplainProviders"
  private[explain] val Provider = classOf[ColocateExplainProvider].getName

  private def register(session: SparkSession): Unit = {
    val present = session.conf
      .getOption(Key)
      .toSeq
      .flatMap(_.split(','))
      .map(_.trim)
      .filter(_.nonEmpty)
    if (!present.contains(Provider)) session.conf.set(Key, (present :+ Provider).mkString(","))
  }
}
