package io.colocate.exchange.replan

import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

import io.colocate.exchange.claims.ColocateClaim
import io.colocate.exchange.memory.PlanMemory
import io.colocate.testing.{EveryThird, Executed, FourRuns, TestTables}

/**
 * A query that rests on claims is searched once. Later rounds of adaptive execution claim again what was
 * claimed at first, and run as few shuffles.
 */
class ReplayedClaimsSuite extends FourRuns with EveryThird {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.createAll(spark)
  }

  private def searches(run: Executed): Int = run.plan match {
    case Some(adaptive: AdaptiveSparkPlanExec) =>
      PlanMemory.of(adaptive.executedPlan).fold(0)(_.searches)
    case other => fail(s"not adaptive: $other")
  }

  private val sets =
    """SELECT t1.a, t1.b, t1.c, count(*) AS n
      |FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY GROUPING SETS ((t1.a, t1.b), (t1.a, t1.c))""".stripMargin

  private val queries = Seq(
    "outer keys" ->
      """SELECT a, count(*) AS n, max(t1.d) AS d FROM t1 FULL OUTER JOIN t2 USING (a)
        |FULL OUTER JOIN (SELECT a, max(b) AS m FROM t3 GROUP BY a) y USING (a)
        |FULL OUTER JOIN t4 USING (a) GROUP BY a""".stripMargin,
    "determined keys" ->
      """SELECT x.d, count(*) AS n
        |FROM t1 JOIN (SELECT d, max(a) AS a FROM t2 GROUP BY d) x ON t1.a = x.a GROUP BY x.d""".stripMargin,
    "equal columns" ->
      "SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a WHERE t1.a = t1.b GROUP BY t1.b",
    "grouping sets" -> sets,
    "merged partitions" ->
      """SELECT a, count(*) AS n FROM (
        |  SELECT /*+ COALESCE(3) */ t1.a FROM t1 JOIN t2 ON t1.a = t2.a) GROUP BY a""".stripMargin,
    "floating-point keys" ->
      "SELECT g.x, g.n, t2.a FROM (SELECT x, count(*) AS n FROM t1 GROUP BY x) g JOIN t2 ON g.x = t2.x",
    "rows in buckets" ->
      """SELECT x.a, count(*) AS n, max(z.d) AS d
        |FROM b8_1 x JOIN b8_2 y ON x.a = y.a JOIN t3 z ON x.a = z.a AND x.c = z.c GROUP BY x.a""".stripMargin)

  /** Each with another shuffle after those that it saves, so that there are more rounds. */
  for ((name, query) <- queries;
    (followed, text) <- Seq("" -> query,
      ", with a shuffle above" -> s"SELECT n, count(*) AS m FROM ($query) GROUP BY n"))
    test(s"$name are claimed again$followed") {
      val runs = fourSql(text)
      assertSomeRows(runs)
      val ours = runs.oursAdaptive
      assert(ours.shuffles == runs.ourCount, planText(ours))
      assert(nodes(runs.ours) { case c: ColocateClaim => c }.nonEmpty, planText(runs.own: _*))
      assert(searches(ours) == 1, planText(ours))
    }
}
