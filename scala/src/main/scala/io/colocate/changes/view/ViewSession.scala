package io.colocate.changes.view

import scala.util.Try

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf

/**
 * A session in which the query of a view means what it meant when the view was made. It has the settings
 * of the user's session, but those by which values differ, and no temporary views or functions.
 */
private[view] object ViewSession {

  private val Database = "colocate.view.database"

  private val kept = Seq(SQLConf.ANSI_ENABLED, SQLConf.CASE_SENSITIVE,
    SQLConf.SESSION_LOCAL_TIMEZONE, SQLConf.TIMESTAMP_TYPE,
    SQLConf.DECIMAL_OPERATIONS_ALLOW_PREC_LOSS, SQLConf.MAP_KEY_DEDUP_POLICY,
    SQLConf.GROUP_BY_ORDINAL, SQLConf.ORDER_BY_ORDINAL, SQLConf.GROUP_BY_ALIASES,
    SQLConf.DOUBLE_QUOTED_IDENTIFIERS)

  /** What is remembered of a session. */
  def settings(session: SparkSession): Map[String, String] = {
    val conf = session.sessionState.conf
    val legacy = conf.getAllConfs.filter(_._1.startsWith("spark.sql.legacy."))
    kept.map(entry => entry.key -> String.valueOf(conf.getConf(entry))).toMap ++ legacy +
      (Database -> session.sessionState.catalog.getCurrentDatabase)
  }

  def of(session: SparkSession, settings: Map[String, String]): SparkSession = {
    val made = session.newSession()
    val conf = made.sessionState.conf
    val own = session.sessionState.conf.getAllConfs.filterNot(_._1.startsWith("spark.sql.legacy."))
    (own ++ (settings - Database)).foreach { case (key, value) =>
      Try(conf.setConfString(key, value))
    }
    settings.get(Database).foreach(made.sessionState.catalog.setCurrentDatabase)
    made
  }

  /**
   * Runs something as this session does. Within a CALL Spark holds on to the settings of the user's session,
   * whichever session is active.
   */
  def in[T](session: SparkSession)(body: => T): T =
    session.withActive(SQLConf.withExistingConf(session.sessionState.conf)(body))
}
