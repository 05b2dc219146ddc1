package io.colocate.exchange.search

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, ShuffleExchangeLike}

import io.colocate.exchange.cost.SharedSubplans
import io.colocate.exchange.memory.PlanMemory
import io.colocate.testing.{Exchanges, PlanKit, TestTables}

/** What the search finds for one plan, before it is compared with Spark's. Nothing is run. */
class SearchSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def context(plan: SparkPlan, settings: (String, String)*): SearchContext =
    withConf(settings: _*) {
      new PlanningContext(plan, new PlanMemory, adaptive = false, spark.sessionState.conf.clone(),
        hint = None).context(SharedSubplans.of(plan, reused = true))
    }

  private def best(plan: SparkPlan, settings: (String, String)*): Alternative =
    new Search(context(plan, settings: _*)).best(plan)

  private def complete(plan: SparkPlan): SparkPlan =
    EnsureRequirements(optimizeOutRepartition = true).apply(plan)

  private def partitionings(plan: SparkPlan): Seq[String] = Exchanges.partitionings(complete(plan))

  private val joined =
    "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b " +
      "GROUP BY t1.a"

  test("a join is shuffled on the key that the aggregate above asks for") {
    val plan = sparkPlan(joined)
    val found = best(plan)
    assert(partitionings(Alternative.emit(found)) == Seq.fill(2)("cohashpartitioning(a, 4)"))
    assert(partitionings(plan) == Seq("hashpartitioning(a, 4)", "hashpartitioning(a, b, 4)",
      "hashpartitioning(a, b, 4)"))
    assert(found.shuffles.length == 2 && found.narrowed.length == 2)
  }

  test("a key that the join does not have is no reason to shuffle otherwise") {
    val plan = sparkPlan(joined.replace("t1.a, count", "t1.c, count").replace("BY t1.a", "BY t1.c"))
    assert(Alternative.emit(best(plan)) eq plan)
  }

  test("the cheapest plan costs no more than Spark's, by the same prices") {
    for (query <- Seq(joined, s"SELECT a, sum(n) AS s FROM ($joined) GROUP BY a",
        s"SELECT x.a FROM ($joined) x JOIN t3 ON x.a = t3.a")) withClue(query) {
      val plan = sparkPlan(query)
      val prices = new PlanningContext(plan, new PlanMemory, false, spark.sessionState.conf, None)
      val sharing = SharedSubplans.of(plan, reused = true)
      val Seq(stock, ours) =
        Seq(plan, Alternative.emit(best(plan))).map(p => prices.priced(complete(p), sharing))
      assert(ours.cost <= stock.cost + Alternative.ClaimCost * stock.exchanges)
    }
  }

  test("with one candidate for each operator a plan is found that Spark accepts") {
    val plan = sparkPlan(s"SELECT x.a FROM ($joined) x JOIN t3 ON x.a = t3.a")
    val found = Alternative.emit(best(plan, "spark.colocate.exchange.maxCandidates" -> "1"))
    assert(Exchanges.count(complete(found)) <= Exchanges.count(complete(plan)))
  }

  test("what the guard refuses is kept with its reason, and not chosen") {
    val settings = Seq("spark.colocate.exchange.mode" -> "off")
    val plan = sparkPlan(joined)
    val search = context(plan, settings: _*)
    val found = new Search(search).best(plan)
    assert(found.narrowed.isEmpty)
    assert(search.declined.map(_.reason.code.name).distinct == Seq("SUBSET_OFF"))
    assert(search.refused.nonEmpty)
  }

  test("a shuffle that the user asked for is left where it is") {
    val plan = sparkPlan("SELECT /*+ REPARTITION(3, d) */ a, d FROM t1")
    val found = Alternative.emit(best(plan))
    assert(found.collect { case s: ShuffleExchangeLike => s }.length == 1)
    assert(best(plan).hasUsersNumber)
  }
}
