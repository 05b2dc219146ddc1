package io.colocate.exchange.search

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.memory.PlanMemory
import io.colocate.testing.{PlanKit, TestTables}

/** Spark's plan against ours: when ours is taken, and what is said of it. Nothing is run. */
class PlanComparisonSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def compared(plan: SparkPlan): PlanComparison = {
    val context =
      new PlanningContext(plan, new PlanMemory, adaptive = false, spark.sessionState.conf, None)
    new PlanComparison(plan, context.completed(plan), plan, context)
  }

  private val subset =
    "SELECT a, sum(n) AS s FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) GROUP BY a"

  test("ours is taken where it has fewer shuffles, and each that is gone is said") {
    val comparison = compared(sparkPlan(subset))
    assert(comparison.isWon)
    val report = comparison.reportOfOurs
    assert((report.stock.count, report.ours.count) == ((2, 1)))
    assert(report.ours.bytes <= report.stock.bytes)
    assert(report.taken.length == 1 && report.changed)
  }

  test("Spark's is kept where ours is the same, and the report says that nothing is to be done") {
    val plan = sparkPlan("SELECT a, count(*) AS n FROM t1 GROUP BY a")
    val comparison = compared(plan)
    assert(!comparison.isWon && (comparison.bestPlan eq plan))
    val report = comparison.reportOfStock
    assert(report.stock == report.ours && !report.changed)
    assert(report.kept.map(_.reason.code.name) == Seq("NOTHING_TO_DO"))
  }

  test("equal subplans get one partitioning, so that Spark runs their shuffle once") {
    val query = s"WITH x AS (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) " +
      "SELECT * FROM (SELECT a, sum(n) AS s FROM x GROUP BY a) y JOIN x ON x.a = y.a"
    val report = compared(sparkPlan(query)).reportOfOurs
    assert(report.ours.count == 1, report)
  }
}
