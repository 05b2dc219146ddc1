package io.colocate.sparksuites

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.colocate.explain.ColocateExplainProvider

/**
 * An extension to be named after Colocate's: it takes Colocate's section out of explain(), whose whole
 * text many of Spark's suites compare.
 */
final class SparksExplain extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit =
    extensions.injectResolutionRule(new SparksExplain.WithoutOurs(_))
}

object SparksExplain {
  private val Key = "spark.sql.extendedExplainProviders"
  private val Ours = classOf[ColocateExplainProvider].getName

  /** Behind the rule that names the provider, which does so wherever none is named. */
  final private class WithoutOurs(session: SparkSession) extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = {
      val named = session.conf.getOption(Key).toSeq.flatMap(_.split(','))
      val others = named.filterNot(_ == Ours)
      if (others != named) {
        if (others.isEmpty) session.conf.unset(Key) else session.conf.set(Key, others.mkString(","))
      }
      plan
    }
  }
}
