package io.colocate.programs

import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.DataFrame

import io.colocate.report.ProgramReasons.NoCommonField
import io.colocate.testing.{Exchanges, RunConf, TestConf}

/** Three turns of PageRank over cached frames that lie as the analysis says. */
class PageRankSuite extends ProgramKit {

  private val turns = 3

  private def edges: DataFrame =
    sql("SELECT CAST(id % 37 AS INT) AS src, CAST(id * 7 % 41 AS INT) AS dst FROM range(400)")

  /** Makes a view of a new name; to replace one would empty what is cached of it. */
  private def named(name: String, frame: DataFrame, cached: Boolean): DataFrame = {
    val kept = if (cached) frame.cache() else frame
    kept.createOrReplaceTempView(name)
    kept
  }

  private def start(cached: Boolean): DataFrame = {
    named("links", if (cached) sql("SELECT /*+ REPARTITION(src) */ * FROM edges") else edges,
      cached)
    named("sources", sql("SELECT src, count(*) AS degree FROM links GROUP BY src"), cached)
    named("ranks0", sql("SELECT src AS node, 1.0D AS rank FROM links GROUP BY src"), cached)
  }

  private def joined(ranks: String) =
    s"$ranks JOIN sources ON node = sources.src JOIN links ON node = links.src"

  private def turn(ranks: String): DataFrame =
    sql(s"SELECT dst AS node, sum(rank / degree) AS rank FROM ${joined(ranks)} GROUP BY dst")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    edges.createOrReplaceTempView("edges")
  }

  test("the aggregate of a turn needs rows by the other end of an edge than its joins") {
    val ranks = start(cached = true)
    impossible(analysedFrames(Seq(turn("ranks0")), Seq(ranks)))(NoCommonField)
    possible(analysedFrames(Seq(sql(s"SELECT dst, rank / degree FROM ${joined("ranks0")}")), Nil))(
      Set("cached (node, rank).node=cached (src, degree).src=cached (src, dst).src"))
    spark.catalog.clearCache()
  }

  private def rounded(rows: Array[Row]): Map[Int, Long] =
    rows.map(row => row.getInt(0) -> math.round(row.getDouble(1) * 1e6)).toMap

  private lazy val alone: Map[Int, Long] =
    withConf(RunConf(colocate = false, adaptive = false).settings: _*) {
      start(cached = false)
      for (n <- 1 to turns) named(s"ranks$n", turn(s"ranks${n - 1}"), cached = false)
      rounded(sql(s"SELECT * FROM ranks$turns").collect())
    }

  for (adaptive <- Seq(false, true))
    test(s"no shuffle outside the aggregate, adaptive execution ${if (adaptive) "on" else "off"}") {
      val expected = alone
      withConf(RunConf(colocate = true, adaptive).settings ++ TestConf.noBroadcast ++
          TestConf.noGather: _*) {
        start(cached = true)
        for (n <- 1 to turns) {
          val next = turn(s"ranks${n - 1}")
          next.collect()
          val plan = next.queryExecution.executedPlan
          assert(Exchanges.count(plan) == 1, plan)
          named(s"ranks$n", next, cached = true)
        }
        assert(rounded(sql(s"SELECT * FROM ranks$turns").collect()) == expected)
        spark.catalog.clearCache()
      }
    }
}
