package io.colocate.rule

import java.util.concurrent.ConcurrentHashMap

import scala.util.Try

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.internal.SQLConf

/**
 * A class of ours that Spark asks for by name, in a setting of its own.
 *
 * @param key    Spark's setting
 * @param value  the name of the class
 * @param on     whether what it serves is switched on
 * @param listed true where the setting is a list, in which others may stand as well
 */
final case class SessionSetting(key: String, value: String, on: SQLConf => Boolean, listed: Boolean)

/**
 * Analysis: names classes of ours in settings of the session while what they serve is switched on, and takes the
 * names away while it is off, so that a session that is switched off has the settings that it would have without us.
 * {{{
 *   spark.sql.extendedExplainProviders              spark.sql.extendedExplainProviders
 *     (not set)                              =>       io.colocate.explain.ColocateExplainProvider
 * }}}
 * Valid at any time, as no plan changes: it is a rule because an extension has no other moment at which the session's
 * settings exist. It acts on the first query of a session, the first after a RESET, and the first after a switch was
 * turned. Counter-example: a setting for one class that the user has given is the user's, and stays.
 */
final case class SessionSetup(session: SparkSession, settings: Seq[SessionSetting])
    extends PlanRule[LogicalPlan, LogicalPlan] {

  /** The switches, as they were when the settings were last seen to. */
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

  /** By the session's own settings: those of a rule may be the ones that a view was made under. */
  private def isOn(setting: SessionSetting): Boolean = {
    val conf = session.asInstanceOf[ClassicSession].sessionState.conf
    // What is no setting is said when the query is planned.
    Try(setting.on(conf)).getOrElse(true)
  }

  private def named(key: String): Seq[String] =
    session.conf.getOption(key).toSeq.flatMap(_.split(',')).map(_.trim).filter(_.nonEmpty)

  private def name(key: String, before: Seq[String], names: Seq[String]): Unit =
    if (names.isEmpty) session.conf.unset(key)
    else if (names != before) session.conf.set(key, names.mkString(","))
}
