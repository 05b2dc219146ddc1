package io.colocate.adapt

import java.util.Locale
import java.util.concurrent.TimeUnit

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession

import io.colocate.rule.ColocateConf
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.LogStore
import io.colocate.tables.queries.QueryFiles

/**
 * The right to adapt a table in a span of time: a file that only one driver can make. Without it two
 * drivers would write the same rows, and the slower one in vain.
 */
final class AdaptLease private (store: LogStore, slot: Long) {

  import AdaptLease._

  /** True if nobody has taken it before. Leases of earlier spans are removed. */
  def taken(): Boolean = {
    val there = store.list()
    val own = name(slot)
    !there.contains(own) && store.putIfAbsent(own)(_ => ()) && {
      there.filter(old => isLease(old) && old < own).foreach(store.delete)
      true
    }
  }
}

object AdaptLease {

  def apply(session: SparkSession, log: TableLog, minutes: Int): AdaptLease = {
    val conf = session.sessionState
    val store = LogStore(new Path(log.path, QueryFiles.Folder), conf.newHadoopConf(),
      ColocateConf.LayoutSingleWriter(conf.conf))
    new AdaptLease(store, log.now() / TimeUnit.MINUTES.toMillis(minutes.max(1).toLong))
  }

  private def name(slot: Long): String = "lease-%015d".formatLocal(Locale.ROOT, slot)

  private def isLease(name: String): Boolean = name.matches("lease-[0-9]{15}")
}
