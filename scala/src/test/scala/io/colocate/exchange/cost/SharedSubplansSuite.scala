package io.colocate.exchange.cost

import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import io.colocate.testing.{PlanKit, TestTables}

/** Which subplans of a plan are equal, so that a shuffle above them runs once. Nothing is run. */
class SharedSubplansSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val twice = "WITH x AS (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) " +
    "SELECT * FROM x JOIN (SELECT a, b, n AS m FROM x) y ON x.a = y.a AND x.b = y.b"

  private def partials(plan: SparkPlan): Seq[BaseAggregateExec] = plan.collect {
    case a: BaseAggregateExec if a.requiredChildDistributionExpressions.isEmpty => a
  }

  test("the rows of a common table expression are needed as often as it is referred to") {
    val plan = sparkPlan(twice)
    val sharing = SharedSubplans.of(plan, reused = true)
    val Seq(one, other) = partials(plan)
    assert(Seq(one, other).map(sharing.uses) == Seq(2.0, 2.0))
    assert(sharing.likeness(one) == sharing.likeness(other) && sharing.likeness(one).nonEmpty)
    assert(sharing.uses(plan) == 1.0)
  }

  test("nothing is shared where equal shuffles run again, or nothing is equal") {
    val plan = sparkPlan(twice)
    assert(partials(plan).map(SharedSubplans.of(plan, reused = false).uses) == Seq(1.0, 1.0))
    val different = sparkPlan(twice.replace("FROM x JOIN (SELECT a, b, n AS m FROM x)",
      "FROM x JOIN (SELECT a, b, count(*) AS m FROM t2 GROUP BY a, b)"))
    val sharing = SharedSubplans.of(different, reused = true)
    assert(partials(different).map(sharing.uses) == Seq(1.0, 1.0))
    assert(partials(different).forall(sharing.likeness(_).isEmpty))
  }

  test("occurrences that are shuffled on different keys, or of which one is not, disagree") {
    val plan = sparkPlan(twice)
    val sharing = SharedSubplans.of(plan, reused = true)
    val Seq(one, other) = partials(plan)
    def on(operator: SparkPlan, keys: Int*) =
      operator -> HashPartitioning(keys.map(operator.output), 8)
    assert(sharing.disagreeing(Seq(on(one, 0), on(other, 0))).isEmpty)
    assert(sharing.disagreeing(Seq(on(one, 0), on(other, 0, 1))).size == 1)
    assert(sharing.disagreeing(Seq(on(one, 0))).size == 1)
  }

  test("a pin allows one partitioning for all occurrences") {
    val plan = sparkPlan(twice)
    val sharing = SharedSubplans.of(plan, reused = true)
    val Seq(one, other) = partials(plan)
    sharing.consider(one, one.output.take(1))
    val Seq((group, partitionings)) = sharing.considered
    val pinned = sharing.withPin(group, partitionings.head)
    assert(pinned.allows(other, other.output.take(1)))
    assert(!pinned.allows(other, other.output.take(2)) && sharing.allows(other,
      other.output.take(2)))
  }

  test("of shuffles that are equal the first alone is new, however many are like them") {
    val plan = sparkPlan(twice)
    val seen = new SeenPlans(SharedSubplans.of(plan, reused = true))
    val Seq(one, other) = partials(plan)
    def on(operator: SparkPlan, keys: Int*) =
      ShuffleExchangeExec(HashPartitioning(keys.map(operator.output), 8), operator)
    assert(seen.isNew(on(one, 0)))
    assert(seen.isNew(on(other, 0, 1)))
    assert(!seen.isNew(on(other, 0)) && !seen.isNew(on(one, 0, 1)))
    assert(seen.isNew(on(one, 1)))
    val alone = new SeenPlans(SharedSubplans.of(plan, reused = false))
    assert(Seq.fill(2)(on(one, 0)).forall(alone.isNew))
  }

  test("scans of one table are told apart by what they are compared with, binary values too") {
    def scans(first: String, second: String) = {
      val plan =
        sparkPlan(s"SELECT a FROM t1 WHERE $first UNION ALL SELECT a FROM t1 WHERE $second")
      plan.collectLeaves().map(SharedSubplans.of(plan, reused = true).likeness)
    }
    assert(scans("b > 1", "b > 2").forall(_.isEmpty))
    assert(scans("b > 1", "1 < b").forall(_.nonEmpty))
    assert(scans("CAST(s AS BINARY) = X'61'", "CAST(s AS BINARY) = X'61'").forall(_.nonEmpty))
  }
}
