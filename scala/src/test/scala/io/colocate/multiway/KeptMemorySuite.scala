package io.colocate.multiway

import java.io.File

import scala.jdk.CollectionConverters._

import org.apache.commons.io.FileUtils

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.util.SizeEstimator

import io.colocate.multiway.exec.{ColocateBroadcast, LayeredBroadcast}
import io.colocate.multiway.rows.SharedIndexes

/**
 * What is kept of a relation takes memory in proportion to its rows, however often rows were added to it and
 * however many joins use it.
 */
class KeptMemorySuite extends MultiwaySession {

  private val Slack = 0.05

  private val Clique = "SELECT count(*) FROM e a JOIN e b ON a.src = b.src AND a.dst <> b.dst " +
    "JOIN e c ON a.src = c.src JOIN e d ON d.src = a.dst AND d.dst = b.dst " +
    "JOIN e f ON f.src = a.dst AND f.dst = c.dst JOIN e g ON g.src = b.dst AND g.dst = c.dst"

  /** Writes so many edges, in files so old that nobody is writing them any more. */
  private def edges(folder: String, from: Int, until: Int): Unit = {
    spark.range(from, until, 1, 1)
      .selectExpr("hash(id) & 4095 AS src", "hash(id, 1) & 4095 AS dst")
      .write.mode("append").parquet(folder)
    FileUtils.listFiles(new File(folder), null, true).asScala
      .foreach(_.setLastModified(System.currentTimeMillis() - 3600 * 1000L))
  }

  /** The bytes that are kept of the edges of a folder once a query has run: as sent, and their indexes. */
  private def kept(folder: String, query: String = s"SELECT count(*) $Triangle"): Long = {
    spark.read.parquet(folder).createOrReplaceTempView("e")
    withConf(Mode -> "force", "spark.colocate.multiway.keepBytes" -> "256m") {
      val frame = sql(query)
      frame.collect()
      collect(planOf(frame)) { case b: ColocateBroadcast => b }.distinctBy(_.canonicalized) match {
        case Seq(edges) =>
          val sent = edges.executeBroadcast[Array[InternalRow]]()
          val indexes = SharedIndexes.of(LayeredBroadcast.source(sent, edges.mode))
          edges.metrics("dataSize").value + SizeEstimator.estimate(indexes)
        case other => fail(s"$other")
      }
    }
  }

  private def about(found: Long, expected: Long): Unit =
    assert(math.abs(found.toDouble / expected - 1) <= Slack, s"$found, $expected")

  test("twice the edges take twice the memory, and no more where they came in ten parts") {
    val (half, whole, parts) = (scratch("half"), scratch("whole"), scratch("parts"))
    edges(half, 0, 60000)
    edges(whole, 0, 120000)
    val expected = kept(whole)
    about(kept(half) * 2, expected)
    edges(parts, 0, 110000)
    kept(parts)
    for (part <- 0 until 10) {
      edges(parts, 110000 + part * 1000, 111000 + part * 1000)
      kept(parts)
    }
    about(kept(parts), expected)
  }

  test("other joins of the same edges take no more than an index in the other order of the keys") {
    val folder = scratch("joins")
    edges(folder, 0, 60000)
    val one = kept(folder)
    val both = kept(folder, Clique)
    assert(both < one * 2, s"$one, $both")
    about(kept(folder), both)
    about(kept(folder, s"SELECT a.src, count(*) $Triangle GROUP BY a.src"), both)
    about(kept(folder, Clique), both)
  }
}
