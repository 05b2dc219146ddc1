package io.colocate.exchange.memory

import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.ShuffledJoin

import io.colocate.exchange.claims.{ClaimFact, ColocateClaim, OuterKeys, ServesMoreKeys}
import io.colocate.exchange.partitioning.Requirement
import io.colocate.testing.{PlanKit, TestTables}

/** What is remembered of a query between its first planning and later ones. Nothing is run. */
class PlanMemorySuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val joined =
    "SELECT x.a, count(*) AS n FROM t1 x JOIN t2 y ON x.a = y.a JOIN t3 z ON x.a = z.a GROUP BY x.a"

  private def joins(plan: SparkPlan): Seq[ShuffledJoin] = plan.collect { case j: ShuffledJoin => j }

  private def asked(operator: SparkPlan) = Requirement.keys(operator, 0).get

  test("a choice is met again at the same operator and the same keys, and nowhere else") {
    val plan = sparkPlan(joined)
    val memory = PlanMemory.start(plan)
    val Seq(upper, lower) = joins(plan)
    val partitioning = HashPartitioning(asked(upper), 8)
    memory.settle(upper, 0, asked(upper), partitioning)
    assert(memory.partitioning(upper, 0, asked(upper)).contains(partitioning))
    assert(memory.keys(upper, 0, asked(upper)).contains(PlanMemory.texts(asked(upper))))
    assert(memory.partitioning(upper, 1, asked(upper)).isEmpty)
    // Both joins ask for x.a.
    assert(asked(lower).map(_.sql) == asked(upper).map(_.sql))
    assert(memory.partitioning(lower, 0, asked(lower)).isEmpty)
  }

  test("the memory is that of the query, whichever part of it is planned again") {
    val plan = sparkPlan(joined)
    val memory = PlanMemory.start(plan)
    assert(plan.children.forall(PlanMemory.of(_).contains(memory)))
    assert(PlanMemory.of(sparkPlan("SELECT a FROM t1")).isEmpty)
  }

  test("later plannings are skipped unless something was chosen, refused or not seen") {
    val plan = sparkPlan(joined)
    assert(!new PlanMemory().open)
    val adopted = new PlanMemory
    adopted.adopt(plan, plan)
    val refused = new PlanMemory
    refused.refuse(Seq(Refusal("edge", Nil, 8)))
    val unseen = new PlanMemory
    unseen.unseen = true
    assert(Seq(adopted, refused, unseen).forall(_.open))
    Seq(adopted, refused, unseen).foreach(_.forget())
    assert(!Seq(adopted, refused, unseen).exists(_.open))
  }

  test("only rows that serve other keys than those they are hashed on are looked for again") {
    val plan = sparkPlan(joined)
    def adopted(facts: ClaimFact*) = {
      val memory = new PlanMemory
      memory.adopt(ColocateClaim(plan, facts), plan)
      memory
    }
    assert(adopted(ServesMoreKeys).byFunctions && adopted(OuterKeys(Nil),
      ServesMoreKeys).byFunctions)
    assert(!adopted(OuterKeys(Nil)).byFunctions)
  }

  test("a shuffled join that was chosen and has become a broadcast join is seen") {
    val broadcast = "spark.sql.autoBroadcastJoinThreshold" -> "10m"
    val plan = sparkPlan(joined)
    val memory = PlanMemory.start(plan)
    val upper = joins(plan).head
    memory.settle(upper, 0, asked(upper), HashPartitioning(asked(upper), 8))
    assert(!memory.changedJoin(plan))
    val again = upper.logicalLink.map(replanned(_, broadcast)).get
    assert(memory.changedJoin(again))
    assert(!memory.changedJoin(plan.collect { case a: BaseAggregateExec => a }.head))
  }

  /** The same logical operators, planned with other settings. */
  private def replanned(
      link: org.apache.spark.sql.catalyst.plans.logical.LogicalPlan,
      settings: (String, String)*): SparkPlan =
    withConf(settings :+ ("spark.sql.adaptive.enabled" ->
        "false"): _*)(spark.sessionState.planner.plan(link).next())
}
