package io.colocate.exchange

import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.connector.catalog.{Column, Identifier, InMemoryTableCatalog}
import org.apache.spark.sql.connector.distributions.Distributions
import org.apache.spark.sql.connector.expressions.{Expressions, SortOrder, Transform}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.StateStoreRestoreExec
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.types.{IntegerType, LongType}

import io.colocate.testing.{EveryThird, Exchanges, Executed, ForcedPlans, FourRuns, Outcome, PhysicalOracle, TestTables}

/**
 * Hard cases 16 and 21 of the research (1-cohash.md, section 7), and streaming: what else works on a
 * plan keeps working. Dynamic pruning, runtime filters, subqueries, cached relations, writes with a
 * required distribution, recursion.
 *
 * {{{
 *   build/sbt "scala/testOnly *HardCasesAroundSuite"
 * }}}
 */
class HardCasesAroundSuite extends FourRuns with EveryThird {

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.catalog.memory" -> classOf[InMemoryTableCatalog].getName)

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    sql("CREATE TABLE facts USING parquet PARTITIONED BY (a) AS SELECT b, c, d, a FROM t1")
  }

  private val joined = "FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b"

  test("16: dynamic partition pruning") {
    val query = "SELECT f.a, count(*) AS n FROM facts f JOIN (SELECT * FROM t2 WHERE d < 30) y " +
      "ON f.a = y.a AND f.b = y.b GROUP BY f.a"
    val prune = Seq("spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly" -> "false",
      "spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio" -> "10")
    val runs = fourSql(query, prune: _*)
    assertSomeRows(runs)
    for ((off, on) <- runs.pairs)
      assert(mentions(on, "dynamicpruning") == mentions(off, "dynamicpruning"), planText(on))
    assert(mentions(runs.stock, "dynamicpruning"), planText(runs.stock))
    assertSomeRows(fourSql(query, "spark.sql.autoBroadcastJoinThreshold" -> "10MB"))
  }

  test("16: runtime bloom filters") {
    val bloom = Seq("spark.sql.optimizer.runtime.bloomFilter.enabled" -> "true",
      "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold" -> "0",
      "spark.sql.optimizer.runtime.bloomFilter.creationSideThreshold" -> "10MB")
    val runs = fourSql(s"SELECT t1.a, count(*) AS n $joined AND t2.d < 30 GROUP BY t1.a", bloom: _*)
    assertSomeRows(runs)
    assert(runs.all.forall(mentions(_, "might_contain")), planText(runs.own: _*))
  }

  private def mentions(run: Executed, word: String): Boolean =
    run.plan.exists(Exchanges.nodes(_).exists(_.toString.contains(word)))

  test("16: subqueries in a join's condition, in a filter and as a column") {
    for (query <- Seq(
        s"SELECT t1.a, count(*) AS n $joined AND t1.d < (SELECT avg(d) FROM t3) GROUP BY t1.a",
        s"SELECT t1.a, count(*) AS n $joined WHERE t1.c IN (SELECT c FROM t3 WHERE t3.a = t1.a) GROUP BY t1.a",
        "SELECT g.a, n, (SELECT max(d) FROM t3 WHERE t3.a = g.a) AS m FROM " +
          s"(SELECT t1.a, count(*) AS n $joined GROUP BY t1.a) g",
        "SELECT a, b FROM t1 WHERE d > (SELECT max(n) FROM " +
          "(SELECT t2.a, count(*) AS n FROM t2 JOIN t3 ON t2.a = t3.a AND t2.b = t3.b GROUP BY t2.a))"))
      assertSomeRows(fourSql(query))
  }

  test("16: a subquery of its own is planned too") {
    val runs = fourSql("SELECT a, d FROM t1 WHERE d > (SELECT max(n) FROM " +
      "(SELECT a, count(DISTINCT b) AS n FROM t2 GROUP BY a))")
    assertShuffles(runs, stock = 3, ours = 2)
  }

  test("16: correlated lateral") {
    assertSomeRows(fourSql("SELECT a, count(*) AS n, max(m) AS m FROM t1, " +
        "LATERAL (SELECT max(d) AS m FROM t2 WHERE t2.a = t1.a AND t2.b = t1.b) GROUP BY a"))
  }

  test("16: a cached relation as input") {
    for (changes <- Seq("true", "false")) {
      val cached = Seq("spark.sql.optimizer.canChangeCachedPlanOutputPartitioning" -> changes)
      withConf(cached: _*) {
        sql("CACHE TABLE kept AS SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b")
        try {
          assertSomeRows(fourSql("SELECT a, count(*) AS m FROM kept GROUP BY a", cached: _*))
          assertSomeRows(fourSql(
              "SELECT a, count(*) AS m FROM kept JOIN t2 USING (a, b) GROUP BY a", cached: _*))
        } finally sql("DROP VIEW kept")
      }
    }
  }

  test("16: a cached relation as sink") {
    val read = "SELECT a, max(n) AS n FROM c GROUP BY a"
    assertSomeRows(four() {
      spark.catalog.clearCache()
      sql(s"SELECT t1.a, t1.b, count(*) AS n $joined GROUP BY t1.a, t1.b")
        .createOrReplaceTempView("c")
      sql("CACHE TABLE c")
      sql(read)
    })
    spark.catalog.clearCache()
  }

  test("16: an insert whose table requires a distribution") {
    for (clustered <- Seq(true, false)) {
      val runs = four() { insert(clustered); sql("SELECT * FROM memory.ns.sink") }
      assertSomeRows(runs)
    }
  }

  /** Writes a join to a table that wants its rows clustered or sorted by `n`. */
  private def insert(clustered: Boolean): Unit = {
    val catalog =
      spark.sessionState.catalogManager.catalog("memory").asInstanceOf[InMemoryTableCatalog]
    val name = Identifier.of(Array("ns"), "sink")
    catalog.dropTable(name)
    val sorted = Array[SortOrder](Expressions.sort(Expressions.column("n"),
      org.apache.spark.sql.connector.expressions.SortDirection.ASCENDING))
    val wanted =
      if (clustered) Distributions.clustered(Array(Expressions.column("a")))
      else Distributions.ordered(sorted)
    catalog.createTable(name, Array(Column.create("a", IntegerType), Column.create("n", LongType)),
      Array.empty[Transform], new java.util.HashMap[String, String], wanted,
      if (clustered) Array.empty[SortOrder] else sorted, None, None)
    sql(s"INSERT INTO memory.ns.sink SELECT t1.a, count(*) AS n $joined GROUP BY t1.a")
  }

  test("16: an insert into partitions and into buckets") {
    for (partitioning <- Seq("PARTITIONED BY (a)", "CLUSTERED BY (a) INTO 5 BUCKETS")) {
      val runs = four() {
        sql("DROP TABLE IF EXISTS sink")
        sql(s"CREATE TABLE sink (n BIGINT, a INT) USING parquet $partitioning")
        sql(s"INSERT INTO sink SELECT count(*) AS n, t1.a $joined GROUP BY t1.a")
        sql("SELECT * FROM sink")
      }
      assertSomeRows(runs)
    }
  }

  test("21: a recursive CTE that keeps its key, and one that changes it") {
    for (next <- Seq("r.a", "t4.c")) assertSomeRows(fourSql(s"""WITH RECURSIVE r(a, n) AS (
        SELECT DISTINCT a, 0 FROM t4 WHERE a < 6
        UNION ALL
        SELECT $next, r.n + 1 FROM r JOIN (SELECT DISTINCT a, c FROM t4) t4 ON r.a = t4.a WHERE r.n < 2)
      SELECT a, n, count(*) AS c FROM r GROUP BY a, n"""))
  }

  test("21: a driver loop with a cache in each round") {
    assertSomeRows(four() {
      val start: DataFrame = sql("SELECT DISTINCT a, 0L AS n FROM t1 WHERE a IS NOT NULL")
      (1 to 3).foldLeft(start) { (known, i) =>
        known.createOrReplaceTempView(s"round$i")
        sql(s"SELECT r.a, max(r.n) + count(*) AS n FROM round$i r JOIN t2 ON r.a = t2.a " +
          "GROUP BY r.a").cache()
      }
    })
    spark.catalog.clearCache()
  }

  test("streaming plans are left alone") {
    assumeExtension()
    val plans =
      for (colocate <- Seq(false, true))
        yield withConf("spark.colocate.enabled" -> colocate.toString,
          "spark.sql.autoBroadcastJoinThreshold" -> "-1") { streamed(s"stream_$colocate") }
    val Seq((stockRows, stock), (ourRows, ours)) = plans
    assert(Exchanges.count(stock) == 3)
    assert(Exchanges.count(ours) == 3)
    assert(Outcome.difference(Outcome(stockRows), Outcome(ourRows)).isEmpty)
  }

  test("streaming, by force: without its shuffle the state of a key lies in several partitions") {
    val (_, plan) = withConf("spark.colocate.enabled" -> "false",
      "spark.sql.autoBroadcastJoinThreshold" -> "-1", "spark.sql.codegen.wholeStage" -> "false") {
      streamed("stream_forced")
    }
    // Only the engine can run what keeps state; the oracle looks at the rows that would come to it.
    val intoState = plan.collectFirst { case restore: StateStoreRestoreExec => restore.child }.get
    assert(PhysicalOracle.check(intoState).violations.isEmpty, plan)
    val forced = PhysicalOracle.check(ForcedPlans.without(intoState, 0))
    assert(forced.violations.exists(_.contains("a key is in partitions")), forced)
  }

  /** Rows and last plan of a stream joined on (a, b) with a table and grouped by a. */
  private def streamed(name: String): (Seq[Row], SparkPlan) = {
    val source = spark.readStream.schema(TestTables.schema).parquet(
      spark.sql("DESCRIBE FORMATTED t1").where("col_name = 'Location'").head().getString(1))
    val query = source.join(spark.table("t2"), Seq("a", "b")).groupBy("a").count().writeStream
      .outputMode("complete").format("memory").queryName(name)
      .option("checkpointLocation", scratch(name)).trigger(Trigger.AvailableNow()).start()
    query.awaitTermination()
    val plan = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan
    (spark.table(name).collect().toSeq, plan)
  }
}
