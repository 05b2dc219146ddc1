package io.colocate.exchange.replan

import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateMode, Complete, Final, Partial}
import org.apache.spark.sql.execution.aggregate._

import io.colocate.testing.{Executed, FourRuns, TestTables}

/**
 * An aggregate that lost the shuffle between its halves is computed at once ([[CombineAggregates]]); each case
 * compares rows with Spark alone, with adaptive execution on and off.
 *
 * {{{
 *   build/sbt "scala/testOnly *CombineAggregatesSuite"
 * }}}
 */
class CombineAggregatesSuite extends FourRuns {

  override protected def sessionConf: Map[String, String] =
    Map("spark.colocate.exchange.mode" -> "aggressive")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val joined =
    "(SELECT t1.a, t1.b, t1.c, t1.s, t1.x, t1.k FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b)"

  private val money = "sum(CAST(c AS DECIMAL(15, 2)))"
  private val moneyOf = "sum(CAST(t2.c AS DECIMAL(15, 2)))"

  private def aggregates(run: Executed): Seq[BaseAggregateExec] =
    nodes(run) { case aggregate: BaseAggregateExec => aggregate }

  private def modes(run: Executed): Set[AggregateMode] =
    aggregates(run).flatMap(_.aggregateExpressions.map(_.mode)).toSet

  /** @param count of aggregates that are left */
  private def assertOnce(count: Int, query: String, settings: (String, String)*): Four = {
    val runs = fourSql(query, settings: _*)
    assertSomeRows(runs)
    for (run <- runs.own) {
      assert(aggregates(run).length == count, planText(run))
      assert(modes(run).subsetOf(Set(Complete)), planText(run))
    }
    runs
  }

  private def assertTwice(query: String, settings: (String, String)*): Unit = {
    val runs = fourSql(query, settings: _*)
    assertSomeRows(runs)
    for (run <- runs.own)
      assert(modes(run) == Set[AggregateMode](Partial, Final), planText(run))
  }

  private def kinds(run: Executed): Set[Class[_ <: BaseAggregateExec]] =
    aggregates(run).map(_.getClass).toSet

  test("sums of money, NULL keys and FILTER, in a hash table") {
    val runs = assertOnce(1,
      s"SELECT a, sum(b), $money, count(b) FILTER (WHERE c > 2), max(k) FROM $joined GROUP BY a")
    assert(kinds(runs.ours) == Set(classOf[HashAggregateExec]))
  }

  test("the keys of Spark's shuffle and others beside them, expressions among them") {
    assertOnce(1, s"SELECT b % 3 AS m, a, $money FROM $joined GROUP BY a, b % 3 HAVING $money > 3")
  }

  test(
    "what Spark has a quicker map for in two halves stays two, unless it has none, or for both") {
    val query = s"SELECT a, sum(b), count(*) FROM $joined GROUP BY a"
    assertTwice(query)
    assertOnce(1, query, "spark.sql.codegen.aggregate.map.twolevel.enabled" -> "false")
    assertOnce(1, query, "spark.sql.codegen.aggregate.map.twolevel.partialOnly" -> "false")
  }

  test("keys alone, and a join that keeps rows without a match") {
    assertOnce(1, s"SELECT DISTINCT a, k FROM $joined")
    assertOnce(1,
      s"SELECT t1.a, $moneyOf FROM t1 LEFT JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a")
  }

  test("collected values, as objects in a hash table") {
    val runs = assertOnce(1, s"SELECT a, sort_array(collect_set(c)) FROM $joined GROUP BY a")
    assert(kinds(runs.ours) == Set(classOf[ObjectHashAggregateExec]))
  }

  test("texts, in order of the keys") {
    val runs = assertOnce(1, s"SELECT a, max(s), min(x) FROM $joined GROUP BY a")
    assert(kinds(runs.ours) == Set(classOf[SortAggregateExec]))
  }

  test("distinct values are found once; what is made of them begins and ends as other functions") {
    for ((functions, count) <- Seq("count(DISTINCT c)" -> 3, "count(DISTINCT c), sum(b)" -> 4)) {
      val runs = fourSql(s"SELECT a, $functions FROM $joined GROUP BY a")
      assertSomeRows(runs)
      for (run <- runs.own)
        assert(aggregates(run).length == count, planText(run))
    }
  }

  test("two aggregates of the query, one over the other, stay two") {
    assertOnce(2,
      s"SELECT a, max(n) FROM (SELECT a, b, $money AS n FROM $joined GROUP BY a, b) GROUP BY a")
  }

  test("what Spark itself plans without a shuffle stays as it is") {
    assertTwice(s"SELECT t1.a, $moneyOf FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY t1.a")
    assertTwice("SELECT sum(id), max(id) FROM range(0, 100, 1, 1) GROUP BY id % 3")
  }

  for (generated <- Seq("true", "false")) {
    test(s"a hash table that does not fit is sorted, generated code $generated") {
      assertOnce(1, s"SELECT a, k, $money, avg(b) FROM $joined GROUP BY a, k",
        "spark.sql.TungstenAggregate.testFallbackStartsAt" -> "2, 3",
        "spark.sql.codegen.wholeStage" -> generated)
    }
  }

  test("with a shuffle between them both halves stay") {
    assertTwice("SELECT a, sum(b) FROM t1 GROUP BY a")
    assertTwice(s"SELECT k, $money FROM $joined GROUP BY k")
  }

  test("switched off, Spark's own plan stays") {
    for (key <- Seq("spark.colocate.enabled", "spark.colocate.exchange.enabled")) {
      val runs = fourSql(s"SELECT a, $money FROM $joined GROUP BY a", key -> "false")
      assert(modes(runs.ours) == modes(runs.stock), planText(runs.own: _*))
      assert(modes(runs.oursAdaptive) == modes(runs.stockAdaptive), planText(runs.oursAdaptive))
    }
  }
}
