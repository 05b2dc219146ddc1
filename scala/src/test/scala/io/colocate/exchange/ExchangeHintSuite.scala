package io.colocate.exchange

import io.colocate.report.ExchangeReasons
import io.colocate.testing.{FourRuns, PlanText, Reports, RunConf, TestTables}

/**
 * The hint sets the mode for one query, wherever it stands in it, and for no other query.
 *
 * {{{
 *   build/sbt "scala/testOnly *ExchangeHintSuite"
 * }}}
 */
class ExchangeHintSuite extends FourRuns {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val mode = "spark.colocate.exchange.mode"

  /** Where a hint can stand, each a query whose inner shuffle can serve the outer aggregate. */
  private def places(hint: String): Seq[(String, String)] = {
    val inner = "SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b"
    Seq("on top" -> s"SELECT $hint a, max(n) AS n FROM ($inner) GROUP BY a",
      "in a subquery" -> s"SELECT a, max(n) AS n FROM (${hinted(inner, hint)}) GROUP BY a",
      "above the table" ->
        s"SELECT a, max(n) AS n FROM (${inner.replace("t1", s"(SELECT $hint * FROM t1)")}) GROUP BY a",
      "below a filter" ->
        s"SELECT * FROM (SELECT $hint a, max(n) AS n FROM ($inner) GROUP BY a) WHERE n > 1")
  }

  private def hinted(query: String, hint: String): String = query.replace("SELECT", s"SELECT $hint")

  for (i <- places("").indices) {
    val place = places("")(i)._1

    test(s"off, $place") {
      val runs = fourSql(places("/*+ COLOCATE(off) */")(i)._2)
      assertShuffles(runs, stock = 2, ours = 2)
      for (run <- runs.own)
        assert(Reports.declines(run)(ExchangeReasons.SubsetOff), planText(run))
    }

    test(s"aggressive where the session says off, $place") {
      val runs = fourSql(places("/*+ COLOCATE(aggressive) */")(i)._2, mode -> "off")
      assertShuffles(runs, stock = 2, ours = 1)
      for (run <- runs.own)
        assert(Reports.reasons(run)(ExchangeReasons.HintGiven), planText(run))
    }

    test(s"without the hint the session's mode holds, $place") {
      assertShuffles(fourSql(places("")(i)._2), stock = 2, ours = 1)
      assertShuffles(fourSql(places("")(i)._2, mode -> "off"), stock = 2, ours = 2)
    }
  }

  test("a DataFrame's hint, in a query with a join") {
    val runs = four() {
      spark.table("t1").join(spark.table("t2"), Seq("a", "b")).groupBy("a").count()
        .hint("colocate", "off")
    }
    assertShuffles(runs, stock = 3, ours = 3)
    assertShuffles(four() {
        spark.table("t1").join(spark.table("t2"), Seq("a", "b")).groupBy("a").count()
      }, stock = 3, ours = 2)
  }

  for (adaptive <- Seq(false, true))
    test(s"filters and columns pass the hint on their way to the table, AQE $adaptive") {
      assumeExtension()
      def plan(hint: String): String =
        withConf(RunConf(colocate = true, adaptive).settings: _*) {
          PlanText.normal(sql(s"SELECT d FROM (SELECT $hint a, b, c + d AS d FROM t1) " +
              "WHERE a = 3").queryExecution.executedPlan.toString)
        }
      assert(plan("/*+ COLOCATE(aggressive) */") == plan(""))
      assert(plan("/*+ COLOCATE(off) */").contains("EqualTo(a,3)"))
      assert(!plan("/*+ COLOCATE(off) */").contains(",b:"), "a column that nobody reads")
    }

  test("of two hints the topmost counts") {
    val inner = "SELECT /*+ COLOCATE(aggressive) */ a, b, count(*) AS n FROM t1 GROUP BY a, b"
    assertShuffles(fourSql(s"SELECT /*+ COLOCATE(off) */ a, max(n) AS n FROM ($inner) GROUP BY a"),
      stock = 2, ours = 2)
  }
}
