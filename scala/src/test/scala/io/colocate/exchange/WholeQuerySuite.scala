package io.colocate.exchange

import io.colocate.report.{ExchangeReasons, WholeQuery}
import io.colocate.testing.{EveryOther, Exchanges, FourRuns, Reports, TestConf, TestTables}

/** What explain() says of a query is true of the whole of it, and so is "no more shuffles". */
class WholeQuerySuite extends FourRuns with EveryOther {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    TestTables.createBucketed(spark)
    sql("CREATE TABLE chars (c CHAR(5), a INT, b INT) USING parquet")
    sql("INSERT INTO chars SELECT CAST(id % 20 AS STRING), id % 7, id % 5 FROM range(200)")
  }

  private val groups = "WITH x AS (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b)"

  test("a subquery that shares a shuffle with the query keeps it") {
    val runs = fourSql(s"$groups SELECT a, sum(n) AS n FROM x GROUP BY a HAVING sum(n) > " +
      "(SELECT avg(n) FROM x)")
    assertSomeRows(runs)
    for (run <- runs.own) {
      assert(run.shuffles <= runs.stockCount, planText(run))
      assert(Reports.declines(run)(ExchangeReasons.SharedWithSubquery), planText(run))
    }
  }

  test("a subquery over another table does not stand in the way") {
    val runs = fourSql(s"$groups SELECT a, sum(n) AS n FROM x GROUP BY a HAVING sum(n) > " +
      "(SELECT avg(n) FROM (SELECT b, c, count(*) AS n FROM t2 GROUP BY b, c))")
    assertSomeRows(runs)
    assert(runs.ourCount == runs.stockCount - 1, planText(runs.own: _*))
    for (run <- runs.own)
      assert(!Reports.declines(run)(ExchangeReasons.SharedWithSubquery), planText(run))
  }

  test("a subquery over other rows of the same table does not either") {
    val runs = fourSql(s"$groups SELECT a, sum(n) AS n FROM x GROUP BY a HAVING sum(n) > " +
      "(SELECT avg(n) FROM (SELECT a, b, count(*) AS n FROM t1 WHERE c > 1 GROUP BY a, b))")
    assertSomeRows(runs)
    assert(runs.ourCount == runs.stockCount - 1, planText(runs.own: _*))
    assert(WholeQuery.of(runs.ourPlan).isEmpty)
  }

  test("inputs that are broadcast are no shuffle to share") {
    val query = "SELECT t1.a, count(*) AS n FROM t1 JOIN t3 ON t1.a = t3.a WHERE t1.b < " +
      "(SELECT max(x.b) FROM t2 x JOIN t3 y ON x.a = y.a) GROUP BY t1.a"
    val small = fourSql(query, "spark.sql.autoBroadcastJoinThreshold" -> "10MB")
    val large = fourSql(query)
    for ((runs, looked) <- Seq(small -> false, large -> true)) {
      assertSomeRows(runs)
      assert(WholeQuery.of(runs.ourPlan).isDefined == looked, planText(runs.own: _*))
    }
  }

  for ((how, join, hint) <- Seq(("a hint shuffles", "JOIN", "/*+ MERGE(t3) */"),
      ("an outer join cannot broadcast", "FULL JOIN", "")))
    test(s"small inputs that $how are a shuffle to share") {
      val query = s"SELECT $hint t1.a, count(*) AS n FROM t1 $join t3 ON t1.a = t3.a WHERE " +
        s"t1.b IS NULL OR t1.b < (SELECT $hint max(x.b) FROM t2 x $join t3 ON x.a = t3.a) GROUP BY t1.a"
      val runs = fourSql(query, "spark.sql.autoBroadcastJoinThreshold" -> "10MB")
      assertSomeRows(runs)
      assert(WholeQuery.of(runs.ourPlan).isDefined, planText(runs.own: _*))
      assert(Reports.said(runs.ourPlan) == ((runs.stockCount, runs.ourCount)))
    }

  test("a subquery that shares a shuffle, and all of them are fewer") {
    val runs = fourSql(s"$groups SELECT p.a, count(*) AS n FROM t1 p JOIN t2 q ON p.a = q.a AND " +
      "p.b = q.b JOIN x ON x.a = p.a WHERE p.c < (SELECT avg(n) FROM x) GROUP BY p.a")
    assertSomeRows(runs)
    assert(runs.ourCount < runs.stockCount, planText(runs.own: _*))
  }

  test("two subqueries that share with each other") {
    assertSomeRows(
      fourSql(s"$groups SELECT a, b FROM t2 WHERE c < (SELECT max(n) FROM x) AND b < " +
        "(SELECT max(s) FROM (SELECT a, sum(n) AS s FROM x GROUP BY a))"))
  }

  test("what is broadcast comes of a shuffle that the rest reads, too") {
    val runs = fourSql(s"$groups SELECT /*+ BROADCAST(q) */ p.a, p.n, q.n FROM " +
      "(SELECT a, max(n) n FROM x GROUP BY a) p JOIN (SELECT b, max(n) n FROM x GROUP BY b) q " +
      "ON p.a <=> q.b")
    assertSomeRows(runs)
    assert(runs.stockCount == 3 && runs.ourCount == 2, planText(runs.own: _*))
  }

  test("what is broadcast shares a shuffle with the rest, and two partitionings would move more") {
    val runs = fourSql(s"$groups SELECT /*+ BROADCAST(q) */ p.a, p.b, p.n, q.n FROM x p JOIN " +
      "(SELECT b, max(n) n FROM x GROUP BY b) q ON p.a <=> q.b")
    assertSomeRows(runs)
    for (run <- runs.own)
      assert(Exchanges.partitionings(run.plan.get) == Exchanges.partitionings(runs.stockPlan),
        planText(run))
  }

  test("equal shuffles that Spark is told to run again") {
    for (reused <- Seq("true", "false")) {
      val runs = fourSql(s"$groups SELECT p.a, sum(q.n) AS n FROM x p JOIN x q ON p.a = q.a AND " +
          "p.b = q.b GROUP BY p.a", "spark.sql.exchange.reuse" -> reused)
      assertSomeRows(runs)
    }
  }

  test("columns of type CHAR, whose padding is a project of its own") {
    for (padded <- Seq("true", "false")) {
      val conf = "spark.sql.readSideCharPadding" -> padded
      assertSomeRows(fourSql("SELECT x.c, y.a FROM chars x JOIN chars y ON x.c = y.c AND x.a = y.a",
        conf))
      assertSomeRows(
        fourSql("SELECT x.c, count(*) AS n FROM chars x JOIN chars y ON x.c = y.c AND " +
            "x.a = y.a GROUP BY x.c", conf))
    }
  }

  test("bucketed tables whose buckets are coalesced") {
    for (coalesced <- Seq("true", "false");
      tables <- Seq(("b8_1", "b8_2", "b4_2"), ("b8_1", "b4_2", "b8_3"), ("b4_2", "b8_1", "t3"),
        ("b8_ab", "b8_ba", "b4_2")))
      assertSomeRows(fourSql(
          s"SELECT x.a, count(*) AS n FROM ${tables._1} x JOIN ${tables._2} y ON " +
            s"x.a = y.a JOIN ${tables._3} z ON x.a = z.a GROUP BY x.a",
          "spark.sql.bucketing.coalesceBucketsInJoin.enabled" -> coalesced))
  }

  test("what the user repartitions is read twice, and nothing else is") {
    val runs = fourSql(
      "WITH r AS (SELECT /*+ REPARTITION(4) */ a, b, c FROM t1) SELECT x.a, " +
        "count(*) AS n FROM (SELECT /*+ BROADCAST(t2) */ r.a, r.b, r.c FROM r JOIN t2 ON r.a = t2.a) x JOIN " +
        "(SELECT r.a, r.b, r.c FROM r LEFT JOIN t3 ON r.a = t3.a) y ON x.a = y.a AND x.b = y.b GROUP BY x.a",
      "spark.sql.autoBroadcastJoinThreshold" -> "10MB")
    assertSomeRows(runs)
    assert(runs.stockPlan.toString.contains("ReusedExchange"), runs.stockPlan)
  }

  test("a column that a union takes twice from one of its inputs") {
    val union = "SELECT a, b FROM t1 UNION ALL SELECT c AS a, c AS b FROM t2"
    assertSomeRows(fourSql(s"WITH u AS ($union) SELECT a, count(*) AS n FROM u GROUP BY a HAVING " +
        s"count(*) > (SELECT avg(n) FROM (SELECT b, count(*) AS n FROM u GROUP BY b))"))
  }

  test("random numbers, which no two uses share") {
    assertSomeRows(fourSql("WITH r AS (SELECT a, b, n, rand(1) < 2 AS m FROM (SELECT a, b, " +
        "count(*) AS n FROM t1 GROUP BY a, b)) SELECT p.a, sum(p.n) AS n FROM r p JOIN r q ON p.a = q.a " +
        "AND p.b = q.b WHERE p.m AND q.m GROUP BY p.a"))
  }

  test("a query planned once by another setting is looked at anew") {
    val query = sql(s"$groups SELECT a, sum(n) AS n FROM x GROUP BY a HAVING sum(n) > " +
      "(SELECT avg(n) FROM x)")
    for (adaptive <- Seq("false", "true", "false"))
      withConf(TestConf.noBroadcast :+ ("spark.sql.adaptive.enabled" -> adaptive): _*) {
        val plan = query.select("*").queryExecution.executedPlan
        val (alone, ours) = Reports.said(plan)
        assert(ours <= alone, plan)
      }
  }
}
