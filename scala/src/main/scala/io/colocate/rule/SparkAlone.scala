package io.colocate.rule

import org.apache.spark.sql.classic.SparkSession

/** A session in which Colocate is switched off and everything else is as in another session. */
private[colocate] object SparkAlone {

  /**
   * Sufficient for planning a query that the other session has analysed: temporary views and functions are
   * resolved by then, and the tables and caches are shared.
   */
  def like(session: SparkSession): SparkSession = {
    val alone = session.newSession()
    val conf = alone.sessionState.conf
    session.sessionState.conf.getAllConfs.foreach { case (key, value) =>
      conf.setConfString(key, value)
    }
    conf.setConfString(ColocateConf.Enabled.key, "false")
    alone.experimental.extraStrategies = session.experimental.extraStrategies
    alone.experimental.extraOptimizations = session.experimental.extraOptimizations
    alone
  }
}
