package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.internal.SQLConf

import io.colocate.report.{ExchangeReasons, Reason}

/**
 * The two settings of Spark by which a user asks that all keys be hashed. The one for joins is true
 * by default, which is no wish of the user's: it counts only where it was set.
 */
object AllKeys {

  private val ForAll = SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_DISTRIBUTION
  private val ForJoins = SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_CO_PARTITION

  def setForJoins(conf: SQLConf): Boolean = conf.contains(ForJoins.key) && conf.getConf(ForJoins)

  /** True where Spark takes rows for a join that lie hashed on some of its keys. */
  def canLeaveOut(conf: SQLConf): Boolean = !conf.getConf(ForJoins)

  /** Why other keys than all do not serve an operator that allows them otherwise. */
  def reason(keys: Seq[Expression], asked: ClusteredDistribution): Reason =
    Reason(ExchangeReasons.AllKeysRequired, "keys" -> HashPartitionings.text(keys),
      "required" -> HashPartitionings.text(asked.clustering),
      "key" -> (if (asked.requireAllClusterKeys) ForAll.key else ForJoins.key))
}
