package io.colocate.exchange

import org.apache.spark.sql.Observation
import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.functions.{count, lit, sum}

import io.colocate.testing.FourRuns

/** ORDER BY reads its rows twice, once for a sample; a shuffle that is left out keeps nothing for the second time. */
class ReadTwiceSuite extends FourRuns {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE small USING parquet AS SELECT id % 23 AS a, id % 11 AS b FROM " +
      "range(0, 3000, 1, 3)")
  }

  private def groups: DataFrame = spark.table("small").groupBy("a", "b").count()

  private def byA(rows: DataFrame): DataFrame = rows.groupBy("a").agg(sum("count").as("n"))

  private def observed(query: DataFrame => DataFrame): Map[String, Any] = {
    val metrics = Observation()
    query(groups.observe(metrics, count(lit(1)).as("groups"), sum("count").as("rows"))).collect()
    metrics.get
  }

  private def everyWay(check: => Unit): Unit =
    for (adaptive <- Seq("true", "false"); gather <- Seq("true", "false"))
      withConf("spark.sql.adaptive.enabled" -> adaptive, "spark.colocate.exchange.gather" -> gather,
        "spark.sql.autoBroadcastJoinThreshold" -> "-1")(check)

  test("metrics below an order are observed once") {
    everyWay(assert(observed(byA(_).orderBy("n", "a")) == Map("groups" -> 253L, "rows" -> 3000L)))
  }

  test("without an order, and without metrics, the shuffle is left out") {
    everyWay(assert(observed(byA) == Map("groups" -> 253L, "rows" -> 3000L)))
    val runs = four()(byA(groups))
    assertShuffles(runs, stock = 2, ours = 1)
    val ordered = four()(byA(groups).orderBy("n", "a"))
    assert(ordered.ourCount == 2 && ordered.stockCount == 3, planText(ordered.own: _*))
  }
}
