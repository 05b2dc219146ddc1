package io.colocate.explain

import org.apache.spark.sql.SparkSessionExtensions

import io.colocate.ColocateExtensions
import io.colocate.explain.plan.Mark
import io.colocate.explain.view.{BeforeAfter, BeforeAfterText}
import io.colocate.report.ReasonKind
import io.colocate.rule.{ColocateConf, RuleTimes}

/** The view of plans that the planner really made. */
class ExplainEndToEndSuite extends ExplainSession {

  override protected def rules(extensions: SparkSessionExtensions): Unit =
    new ColocateExtensions().apply(extensions)

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    spark.sql("CREATE OR REPLACE TEMP VIEW orders AS" +
      " SELECT id % 50 AS custkey, id % 7 AS day, id * 3 % 101 AS price FROM range(5000)")
  }

  private val numbered = "SELECT custkey, day, row_number() OVER" +
    " (PARTITION BY custkey, day ORDER BY price) AS n FROM orders"

  /** The example of docs/reading-a-plan.md. */
  private val example = s"SELECT custkey, max(n) FROM ($numbered) GROUP BY custkey"

  private val queries = Seq("one exchange for window and aggregate" -> (example, 1, 2),
    "nothing to save" -> ("SELECT custkey, count(*) FROM orders GROUP BY custkey", 1, 1),
    "no exchange at all" -> ("SELECT custkey FROM orders WHERE day = 1", 0, 0),
    "a subquery of its own" -> (
      s"SELECT custkey FROM orders WHERE price > (SELECT max(m) FROM ($example) AS e(c, m))", 2, 3),
    "a broadcast side" -> (
      s"SELECT /*+ BROADCAST(e) */ o.day, e.m FROM orders o JOIN ($example) e(c, m) ON custkey = c",
      1, 2))

  for (on <- Seq(true, false); (name, (query, ours, stock)) <- queries) {
    test(s"$name: the counts are those of both plans, AQE $on") {
      aqe(on) {
        val found = BeforeAfter.of(spark, query)
        assert((found.colocate.exchanges, found.stock.exchanges) == ((ours, stock)),
          BeforeAfterText.render(found))
        assert(found.report.plannedExchanges == ours)
        assert(found.report.stockExchanges == stock)
        assert(found.report.taken.size == stock - ours)
        assert(found.rows.count(_.mark == Mark.Gone) == stock - ours)
      }
    }
  }

  test("colocate_rule_times counts each planning of the exchange planner, and none that is off") {
    def planned() = RuleTimes.soFar.collectFirst { case ("exchange", calls, seconds) =>
      assert(seconds > 0)
      calls
    }
    def plan(): Unit = spark.sql(example).queryExecution.executedPlan
    plan()
    val before = planned()
    plan()
    assert(before.nonEmpty && planned() == before.map(_ + 1))
    withConf(ColocateConf.Enabled.key -> "false")(plan())
    assert(planned() == before.map(_ + 1))
    val row = spark.sql("SELECT calls FROM colocate_rule_times() WHERE rule = 'exchange'").head()
    assert(row.getLong(0) > before.get)
  }

  test("the example of the documentation") {
    aqe(on = true) {
      val text = BeforeAfterText.render(BeforeAfter.of(spark, example), width = 115)
      info(text)
      assert(text.startsWith("exchanges: 1 (Spark alone: 2), estimated shuffle "))
      assert(text.contains("| Exchange cohashpartitioning(custkey, 5)"))
      assert(text.contains("\nremoved: HashAggregate (custkey) is served by (custkey)"))
    }
  }

  test("a removal tells its evidence, also where the key has another name by then") {
    val renamed = s"SELECT id, max(n) FROM (SELECT custkey AS id, n FROM ($numbered)) GROUP BY id"
    for (query <- Seq(example, renamed)) {
      val Seq(removal) = BeforeAfter.of(spark, query).report.taken
      assert(removal.reasons.map(_.code.kind) == Seq(ReasonKind.Fact, ReasonKind.Evidence), query)
    }
  }

  test("inside a query, too, Spark alone is without us") {
    val args = Map[String, Any]("q" -> example)
    val text = spark.sql("SELECT report FROM colocate_explain(:q)", args).head().getString(0)
    assert(text.startsWith("exchanges: 1 (Spark alone: 2)"))
  }

  test("the final plan keeps what was planned in its first line") {
    aqe(on = true) {
      spark.sql(example).collect()
      val Seq(record) = PlanHistory.recent(spark, 1)
      assert((record.exchanges, record.stockExchanges) == ((1, 2)))
      assert(record.report.startsWith("exchanges: 1 (Spark alone: 2)"))
    }
  }

  test("with the mode off the exchange stays, and why_not says so") {
    withConf(ColocateConf.ExchangeMode.key -> "off") {
      val found = BeforeAfter.of(spark, example)
      assert(found.colocate.exchanges == 2 && found.report.taken.isEmpty)
      val codes =
        spark.sql("SELECT code FROM colocate_why_not(:q)", Map[String, Any]("q" -> example))
          .collect().map(_.getString(0))
      assert(codes.nonEmpty)
    }
  }

  test("switched off: the plans are equal") {
    withConf(ColocateConf.Enabled.key -> "false") {
      val found = BeforeAfter.of(spark, example)
      assert(found.stock == found.colocate && found.stock.exchanges == 2)
    }
  }
}
