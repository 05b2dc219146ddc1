package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.internal.SQLConf

import io.colocate.report.{ExchangeReasons, Reason}

/**
 * The two settings of Spark by which a user requires that all keys be hashed. The one for joins is true by
 * default, so it counts only if the user has set it.
 */
object AllKeys {

  private val ForAll = SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_DISTRIBUTION
  private val ForJoins = SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_CO_PARTITION

  def setForJoins(conf: SQLConf): Boolean = conf.contains(ForJoins.key) && conf.getConf(ForJoins)

  /** True if Spark accepts rows for a join that are hashed on only some of its keys. */
  def canLeaveOut(conf: SQLConf): Boolean = !conf.getConf(ForJoins)

  /** Why fewer than all keys do not serve an operator that otherwise allows them. */
  def reason(keys: Seq[Expression], asked: ClusteredDistribution): Reason =
    Reason(ExchangeReasons.AllKeysRequired, "keys" -> HashPartitionings.text(keys),
      "required" -> HashPartitionings.text(asked.clustering),
      "key" -> (if (asked.requireAllClusterKeys) ForAll.key else ForJoins.key))
}
