package io.colocate.tables.snapshot

import java.lang.ref.SoftReference
import java.util.{LinkedHashMap, Map => JavaMap}

/**
 * The newest version that this process has read of each of the last few tables, so that the next query
 * reads only the commits since then. The cache is dropped if memory runs short.
 */
private[tables] object SnapshotCache {

  private val Tables = 16

  private val snapshots =
    new LinkedHashMap[String, SoftReference[Snapshot]](Tables, 0.75f, true) {
      override def removeEldestEntry(
          eldest: JavaMap.Entry[String, SoftReference[Snapshot]]): Boolean = size > Tables
    }

  /** @param log the path of the log's folder */
  def get(log: String): Option[Snapshot] =
    synchronized(Option(snapshots.get(log))).flatMap(reference => Option(reference.get))

  def put(log: String, snapshot: Snapshot): Unit = synchronized {
    snapshots.put(log, new SoftReference(snapshot))
  }

  def forget(log: String): Unit = synchronized(snapshots.remove(log))
}
