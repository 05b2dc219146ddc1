package io.colocate.rule

import java.util.concurrent.ConcurrentHashMap

import scala.util.Try

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.internal.SQLConf

/**
 * A class of Colocate that Spark loads by its name, from one of Spark's settings.
 *
 * @param key    Spark's setting
 * @param value  the name of the class
 * @param on     whether the feature that needs the class is switched on
 * @param listed true if the setting is a list, which may have other classes too
 */
final case class SessionSetting(key: String, value: String, on: SQLConf => Boolean, listed: Boolean)

/**
 * Analysis: sets our classes in settings of the session while their features are switched on, and
 * removes them while these are switched off, so that the session then has the settings that it would
 * have without Colocate.
 * {{{
 *   spark.sql.extendedExplainProviders              spark.sql.extendedExplainProviders
 *     (not set)                              =>       io.colocate.explain.ColocateExplainProvider
 * }}}
 * Valid at any time, as no plan changes. It is a rule because an extension has no other moment at which
 * the session's settings exist. It acts on the first query of a session, the first after a RESET, and
 * the first after a switch was changed. Counter-example: if a setting for one class was given by the
 * user, it stays.
 */
final case class SessionSetup(session: SparkSession, settings: Seq[SessionSetting])
    extends PlanRule[LogicalPlan, LogicalPlan] {

  /** The switches at the last update of the settings. */
  private val seen = new ConcurrentHashMap[String, Boolean]

  override def apply(plan: LogicalPlan): LogicalPlan = {
    settings.foreach(see)
    plan
  }

  private def see(setting: SessionSetting): Unit = {
    val on = isOn(setting)
    val turned = !Option(seen.put(setting.key, on)).contains(on)
    val before = named(setting.key)
    if (!on && turned) name(setting.key, before, before.filterNot(_ == setting.value))
    else if (on && (before.isEmpty || turned && setting.listed && !before.contains(setting.value)))
      name(setting.key, before, before :+ setting.value)
  }

  /** Uses the session's own settings: the settings within a rule may be those stored with a view. */
  private def isOn(setting: SessionSetting): Boolean = {
    val conf = session.asInstanceOf[ClassicSession].sessionState.conf
    // A wrong value is reported when the query is planned.
    Try(setting.on(conf)).getOrElse(true)
  }

  private def named(key: String): Seq[String] =
    session.conf.getOption(key).toSeq.flatMap(_.split(',')).map(_.trim).filter(_.nonEmpty)

  private def name(key: String, before: Seq[String], names: Seq[String]): Unit =
    if (names.isEmpty) session.conf.unset(key)
    else if (names != before) session.conf.set(key, names.mkString(","))
}
