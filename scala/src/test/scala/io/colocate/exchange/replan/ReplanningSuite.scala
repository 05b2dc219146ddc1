package io.colocate.exchange.replan

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, ShuffleExchangeExec}
import org.apache.spark.sql.execution.joins.ShuffledJoin

import io.colocate.exchange.claims.{ColocateClaim, OuterKeys}
import io.colocate.exchange.memory.{PlanMemory, Refusal}
import io.colocate.exchange.partitioning.{CoHashPartitioning, Requirement}
import io.colocate.exchange.search.PlanningContext
import io.colocate.testing.{PlanKit, TestTables}

/** What a later planning of a query does with what was chosen at first. Nothing is run. */
class ReplanningSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val query =
    "SELECT a, sum(n) AS s FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) GROUP BY a"

  /** The final aggregate by (a, b), which asks for both keys. */
  private def lower(plan: SparkPlan): SparkPlan =
    plan.collect { case p if p.children.length == 1 && asked(p).exists(_.length == 2) => p }.head

  private def asked(plan: SparkPlan) = Requirement.keys(plan, 0)

  private def chosen(plan: SparkPlan): PlanMemory = {
    val memory = PlanMemory.start(plan)
    val keys = asked(lower(plan)).get
    memory.settle(lower(plan), 0, keys, new CoHashPartitioning(keys.take(1), 8))
    memory
  }

  private def shuffles(plan: SparkPlan): Seq[ShuffleExchangeExec] =
    plan.collect { case s: ShuffleExchangeExec => s }

  test("a shuffle that was chosen is put in its place again") {
    val plan = sparkPlan(query)
    val memory = chosen(plan)
    memory.adopt(plan, plan)
    val Seq(shuffle) = shuffles(Replay(plan, memory))
    assert(shuffle.outputPartitioning.isInstanceOf[CoHashPartitioning])
    assert(lower(Replay(plan, memory)).children == Seq(shuffle))
  }

  test("a choice that did not win is not replayed") {
    val plan = sparkPlan(query)
    assert(Replay(plan, chosen(plan)) eq plan)
  }

  test("rows that lie as was chosen are not shuffled again") {
    val plan = sparkPlan(query)
    val memory = chosen(plan)
    memory.adopt(plan, plan)
    val once = Replay(plan, memory)
    assert(shuffles(Replay(once, memory)).length == 1)
  }

  private def mustSearch(
      plan: SparkPlan,
      memory: PlanMemory,
      settings: (String, String)*): Boolean =
    withConf(settings: _*) {
      val context =
        new PlanningContext(plan, memory, adaptive = true, spark.sessionState.conf, None)
      Revisit.mustSearch(plan, memory, context.guard)
    }

  test("the query is searched again where joins compare more or the first planning saw nothing") {
    val plan = sparkPlan(query)
    assert(!mustSearch(plan, PlanMemory.start(plan)))
    val carried = PlanMemory.start(plan)
    carried.adopt(plan, plan, carries = true)
    val unseen = PlanMemory.start(plan)
    unseen.unseen = true
    assert(mustSearch(plan, carried) && mustSearch(plan, unseen))
  }

  private val outer = "SELECT a, count(*) AS n FROM t1 FULL OUTER JOIN t2 USING (a) GROUP BY a"

  test("what was claimed of an operator is claimed of it again, and of no other") {
    val plan = sparkPlan(outer)
    val memory = PlanMemory.start(plan)
    val join = plan.collect { case j: ShuffledJoin => j }.head
    val fact = OuterKeys(Nil)
    memory.adopt(plan.transformUp { case j: ShuffledJoin => ColocateClaim(j, Seq(fact)) }, plan)
    val again = Replay(plan, memory)
    assert(again.collect { case ColocateClaim(child, facts) => (child, facts) } ==
      Seq((join, Seq(fact))))
    assert(Replay(again, memory).collect { case c: ColocateClaim => c }.length == 1)
  }

  test("a shuffle is noticed that the adopted plan has not") {
    val plan = sparkPlan(outer)
    val memory = PlanMemory.start(plan)
    val complete = EnsureRequirements().apply(plan)
    val Seq(top, _*) = shuffles(complete)
    val fewer = complete.transform { case s: ShuffleExchangeExec if s.eq(top) => s.child }
    memory.adopt(plan, fewer)
    assert(!memory.claims.shufflesMore(fewer))
    assert(memory.claims.shufflesMore(complete))
  }

  test("a refused partitioning is looked at again only where the guard would let it pass now") {
    val plan = sparkPlan(query)
    val memory = PlanMemory.start(plan)
    val keys = asked(lower(plan)).get
    memory.refuse(Seq(Refusal(PlanMemory.edge(lower(plan), 0, keys), keys.take(1), 8)))
    assert(mustSearch(plan, memory))
    assert(!mustSearch(plan, memory, "spark.colocate.exchange.mode" -> "off"))
  }

  test("rows below a sort or a claim are shuffled where what is below is") {
    val plan = sparkPlan(query)
    val shuffle = ShuffleExchangeExec(new CoHashPartitioning(plan.output.take(1), 8), plan)
    assert(Revisit.isShuffled(shuffle) && !Revisit.isShuffled(plan))
  }
}
