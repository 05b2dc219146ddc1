package io.colocate.exchange

import java.util.concurrent.atomic.AtomicInteger

import org.scalatest.concurrent.Eventually
import org.scalatest.time.SpanSugar._

import org.apache.spark.scheduler.{SparkListener, SparkListenerJobEnd, SparkListenerJobStart}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, AQEShuffleReadExec, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, ShuffledHashJoinExec, ShuffledJoin}

import io.colocate.exchange.memory.PlanMemory
import io.colocate.report.ExchangeReasons
import io.colocate.testing.{EveryThird, Exchanges, Executed, ForcedPlans, FourRuns, Late, Outcome, PhysicalOracle, Reports, Rows, RunConf, TestConf, TestTables}

/**
 * Hard cases 13 to 15 of the research (1-cohash.md, section 7): adaptive execution changes the plan
 * while it runs. Joins are converted, skewed partitions split, partitions coalesced, reads localised.
 *
 * {{{
 *   build/sbt "scala/testOnly *HardCasesAdaptiveSuite"
 * }}}
 */
class HardCasesAdaptiveSuite extends FourRuns with Eventually with EveryThird {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    createSkewed("skew")
    createSkewed("skew_analysed")
    sql("CREATE TABLE dim USING parquet AS SELECT CAST(if(id < 500, 1, id % 40) AS INT) AS a, " +
      "CAST(id % 500 AS INT) AS b, id AS v FROM range(0, 700)")
    withConf("spark.sql.statistics.histogram.enabled" -> "true") {
      sql("ANALYZE TABLE skew_analysed COMPUTE STATISTICS FOR ALL COLUMNS")
    }
    Late.register(spark, "late")
  }

  /** Four of five rows have a = 1. */
  private def createSkewed(name: String): Unit = sql(s"CREATE TABLE $name USING parquet AS " +
    "SELECT /*+ REPARTITION(4) */ CAST(if(id % 5 < 4, 1, id % 40) AS INT) AS a, " +
    "CAST(id % 500 AS INT) AS b, concat('row number ', id) AS s FROM range(0, 6000)")

  private def grouped(table: String): String =
    s"SELECT s.a, count(*) AS n, max(s.s) AS s FROM $table s JOIN dim d ON s.a = d.a AND s.b = d.b GROUP BY s.a"

  /** Data of a few KB is large here, so that the guard and skew handling see what they see at scale. */
  private val tinyThresholds = Seq(
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "8KB",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "2.0",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "4KB",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst" -> "false",
    "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "1B")

  private val aggressive = "spark.colocate.exchange.mode" -> "aggressive"

  test("13: sort-merge join becomes a broadcast join after its first stage") {
    for (query <- Seq(
        "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a",
        "SELECT t1.a, t3.d FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b JOIN t3 ON t1.a = t3.a",
        "SELECT t1.a, count(*) AS n FROM t1 LEFT JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a")) {
      val runs = fourSql(query, "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10MB")
      assertSomeRows(runs)
      assert(nodes(runs.oursAdaptive) { case j: BroadcastHashJoinExec => j }.nonEmpty,
        planText(runs.oursAdaptive))
    }
  }

  test("13: sort-merge join becomes a shuffled hash join") {
    val runs = fourSql(
      "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a",
      "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold" -> "10MB",
      "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1MB")
    assertShuffles(runs, stock = 3, ours = 2)
    assert(nodes(runs.oursAdaptive) { case j: ShuffledHashJoinExec => j }.nonEmpty,
      planText(runs.oursAdaptive))
  }

  test("13: statistics show the hot key, so the guard keeps (a, b)") {
    val runs = fourSql(grouped("skew_analysed"), tinyThresholds: _*)
    assertShuffles(runs, stock = 3, ours = 3)
    for (run <- runs.own)
      assert(Reports.declines(run).intersect(Set(ExchangeReasons.HotValue,
        ExchangeReasons.TooFewKeys)).nonEmpty, s"${Reports.of(run)}\n${planText(run)}")
  }

  test("13: without statistics a large edge keeps (a, b)") {
    val runs = fourSql(grouped("skew"), tinyThresholds: _*)
    assertShuffles(runs, stock = 3, ours = 3)
    for (run <- runs.own)
      assert(Reports.declines(run)(ExchangeReasons.UnknownSize),
        s"${Reports.of(run)}\n${planText(run)}")
  }

  test("13: a finished stage shows the skew, so the choice is withdrawn above it") {
    val runs = fourSql(grouped("skew"), tinyThresholds :+ aggressive: _*)
    assertSomeRows(runs)
    assert(runs.ourCount == 2, planText(runs.own: _*))
    assert(runs.oursAdaptive.shuffles == 3, planText(runs.oursAdaptive))
    assert(joins(runs.oursAdaptive).exists(_.isSkewJoin), planText(runs.oursAdaptive))
    assert(Reports.declines(runs.oursAdaptive)(ExchangeReasons.SkewSeen),
      Reports.of(runs.oursAdaptive))
  }

  test("13: a skewed stage is reported where a join reads it, not below aggregates or windows") {
    val join = fourSql(grouped("skew"), tinyThresholds :+ aggressive: _*).oursAdaptive
    assert(isSkewed(join) && Reports.declines(join)(ExchangeReasons.SkewSeen), planText(join))
    for ((above, below) <- Seq(
        "SELECT a, max(n) AS n, max(s) AS s FROM" ->
          "(SELECT a, s, count(*) AS n FROM skew GROUP BY a, s) GROUP BY a",
        "SELECT a, n, sum(n) OVER (PARTITION BY a) AS m FROM" ->
          "(SELECT a, s, count(*) OVER (PARTITION BY a, s) AS n FROM skew)")) {
      val runs = fourSql(s"$above $below", tinyThresholds :+ aggressive: _*)
      assertShuffles(runs, stock = 2, ours = 1)
      assert(isSkewed(runs.oursAdaptive), planText(runs.oursAdaptive))
      assert(!Reports.declines(runs.oursAdaptive)(ExchangeReasons.SkewSeen),
        Reports.of(runs.oursAdaptive))
    }
  }

  /** True where a finished stage is skewed by the tiny thresholds. */
  private def isSkewed(run: Executed): Boolean =
    nodes(run) { case stage: ShuffleQueryStageExec => stage }.flatMap(_.mapStats).exists { stats =>
      val sizes = stats.bytesByPartitionId.sorted
      sizes.last > 8 * 1024 && sizes.last > 2 * sizes(sizes.length / 2)
    }

  test("13: by force, an aggregate right above a join that was split: other rows") {
    val run = fourSql(grouped("skew"),
      tinyThresholds ++ Seq(aggressive, "spark.sql.codegen.wholeStage" -> "false"): _*).oursAdaptive
    val forced =
      ForcedPlans.withoutStage(nodes(run) { case aggregate: BaseAggregateExec => aggregate }.head)
    assert(forced.exists { case j: ShuffledJoin => j.isSkewJoin; case _ => false }, forced)
    assert(PhysicalOracle.check(forced).violations.exists(_.contains("a key is in partitions")),
      forced)
    val rows = Outcome(ForcedPlans.rows(forced))
    assert(rows.isInstanceOf[Rows], s"an error proves nothing\n$forced")
    assert(Outcome.difference(run.outcome, rows).isDefined, forced)
  }

  test("13: skewed joins are split by force") {
    val force = "spark.sql.adaptive.forceOptimizeSkewedJoin" -> "true"
    for (mode <- Seq("aggressive", "conservative")) {
      val runs = fourSql(grouped("skew"),
        tinyThresholds ++ Seq(force, "spark.colocate.exchange.mode" -> mode): _*)
      assertSomeRows(runs)
      // On all keys nothing is skewed.
      assert(joins(runs.oursAdaptive).exists(_.isSkewJoin) == (mode == "aggressive"),
        planText(runs.oursAdaptive))
    }
  }

  test("13: no aggregate or window relies on the partitioning of a join that was split") {
    for (above <- Seq("SELECT a, count(*) FROM j GROUP BY a",
        "SELECT a, count(*) OVER (PARTITION BY a) AS n FROM j",
        "SELECT j.a, t1.d FROM j JOIN t1 ON j.a = t1.a AND j.b = t1.b")) {
      val query =
        s"WITH j AS (SELECT s.a, s.b FROM skew s JOIN dim d ON s.a = d.a AND s.b = d.b) $above"
      val runs = fourSql(query, tinyThresholds :+ aggressive: _*)
      assertSomeRows(runs)
      assert(nodes(runs.oursAdaptive)(reliesOnSplit).isEmpty, planText(runs.oursAdaptive))
    }
  }

  /** Operators that want rows together with a split join right below, no shuffle between. */
  private def reliesOnSplit: PartialFunction[SparkPlan, SparkPlan] = {
    case node
        if node.requiredChildDistribution.exists(_.requiredNumPartitions.isEmpty) &&
          !node.isInstanceOf[ShuffledJoin] && node.children.zip(
            node.requiredChildDistribution).exists { case (child, d) =>
            d.toString.startsWith("Clustered") && split(child)
          } =>
      node
  }

  private def split(plan: SparkPlan): Boolean = plan match {
    case join: ShuffledJoin => join.isSkewJoin
    case other if other.children.size == 1 => split(other.children.head)
    case _ => false
  }

  private val rounds = "SELECT t1.a, count(*) AS n, max(t3.d) AS d FROM t1 " +
    "JOIN (SELECT a, late(b) AS b, d FROM t2 WHERE b IS NOT NULL) y ON t1.a = y.a AND t1.b = y.b " +
    "JOIN t3 ON t1.a = t3.a AND t1.c = t3.c GROUP BY t1.a"

  test("14: a slow stage: the choice stays, and no stage runs for nothing") {
    val jobs = new Jobs
    spark.sparkContext.addSparkListener(jobs)
    try {
      for (colocate <- Seq(false, true)) {
        if (colocate) assumeExtension()
        val before = jobs.started.get
        val run = execute(RunConf(colocate, adaptive = true), TestConf.noBroadcast: _*)(sql(rounds))
        assert(run.outcome.isInstanceOf[Rows], run.outcome)
        assert(run.shuffles == (if (colocate) 3 else 5), planText(run))
        // Each shuffle is a job of its own, and the result is one.
        eventually(timeout(5.seconds)) { assert(jobs.finished.get == jobs.started.get) }
        assert(jobs.started.get - before == run.shuffles + 1, planText(run))
        assert(run.partitionings == initialLayouts(run), planText(run))
      }
    } finally spark.sparkContext.removeSparkListener(jobs)
  }

  /** What the planner remembers of a query that has run. */
  private def memory(run: Executed): PlanMemory = {
    val memories = run.plan.toSeq.flatMap {
      case adaptive: AdaptiveSparkPlanExec => PlanMemory.of(adaptive.executedPlan)
      case other => fail(s"not adaptive: $other")
    }
    assert(memories.size == 1, planText(run))
    memories.head
  }

  test("14: a query is planned anew only where something was chosen or refused") {
    def again(query: String, settings: (String, String)*): Boolean =
      memory(fourSql(query, settings: _*).oursAdaptive).open
    val chosen =
      "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a"
    assert(again(chosen))
    assert(again(chosen, "spark.colocate.exchange.mode" -> "off"), "refused")
    assert(!again("SELECT t1.a, t2.d FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b"))
  }

  test("14: it is searched once, and a shuffle that is still to come is put back") {
    def searches(query: String, settings: (String, String)*): Int = {
      val runs = fourSql(query, settings: _*)
      assertSomeRows(runs)
      val ours = runs.oursAdaptive
      assert(ours.shuffles == runs.ourCount, planText(ours))
      assert(ours.partitionings == initialLayouts(ours), planText(ours))
      memory(ours).searches
    }
    val joined =
      "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a"
    assert(searches("SELECT a, max(d) AS m FROM t1 GROUP BY a") == 0, "it has one shuffle")
    assert(searches(joined) == 1, "both shuffles begin at once")
    assert(searches(s"SELECT n, count(*) AS m FROM ($joined) GROUP BY n") == 1, "Spark's follows")
    assert(searches(joined, "spark.colocate.exchange.mode" -> "off") == 1, "nothing will pass")
    val late = "SELECT a, max(n) AS n FROM (SELECT a, b, count(*) AS n FROM " +
      "(SELECT c % 5 AS a, c % 3 AS b, max(d) AS d FROM t3 GROUP BY c) GROUP BY a, b) GROUP BY a"
    assert(searches(late) == 1, "it stands above another stage")
    val functions = "SELECT b, count(*) AS n FROM (SELECT b, c FROM t1 GROUP BY b, c) GROUP BY b " +
      "INTERSECT SELECT b, count(*) AS n FROM (SELECT b, c FROM t2 GROUP BY b, c) GROUP BY b"
    assert(searches(functions) == 1, "hashed on functions of the keys")
  }

  test("14: a join of ours that has become a broadcast join is known, and no other") {
    val query =
      "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a"
    def changed(query: String): Seq[Boolean] = {
      val run =
        fourSql(query, "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10MB").oursAdaptive
      nodes(run) { case join: BroadcastHashJoinExec => join }.map(memory(run).changedJoin)
    }
    assert(changed(query) == Seq(true))
    // Spark alone would shuffle this one alike, so nothing of ours is lost with it.
    assert(changed("SELECT t1.a, t2.d FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b")
      == Seq(false))
  }

  test("14: what was refused for want of evidence passes once a stage has shown how small it is") {
    def grouped(before: String) = "SELECT a, max(n) AS n FROM (SELECT a, b, count(*) AS n FROM " +
      s"(SELECT a, b, s, count(*) AS m FROM skew WHERE s < 'row number $before' GROUP BY a, b, s) " +
      "GROUP BY a, b) GROUP BY a"
    val few = fourSql(grouped("11"), tinyThresholds: _*)
    assertSomeRows(few)
    assert(few.ourCount == 3 && few.oursAdaptive.shuffles == 2, planText(few.oursAdaptive))
    assert(memory(few.oursAdaptive).searches == 2)
    val many = fourSql(grouped("9"), tinyThresholds: _*)
    assertShuffles(many, stock = 3, ours = 3)
    assert(memory(many.oursAdaptive).searches == 1)
  }

  private class Jobs extends SparkListener {
    val started = new AtomicInteger
    val finished = new AtomicInteger
    override def onJobStart(start: SparkListenerJobStart): Unit = started.incrementAndGet()
    override def onJobEnd(end: SparkListenerJobEnd): Unit = finished.incrementAndGet()
  }

  private def initialLayouts(run: Executed): Seq[String] = run.plan.toSeq.flatMap {
    case adaptive: AdaptiveSparkPlanExec => Exchanges.partitionings(adaptive.initialPlan)
    case other => Exchanges.partitionings(other)
  }

  test("15: every shuffle is read coalesced, as by Spark alone") {
    for (query <- Seq(
        "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a",
        "SELECT a, count(DISTINCT b) AS n FROM t1 GROUP BY a",
        "SELECT t1.a, t2.d, t3.d AS d3 FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b " +
          "JOIN t3 ON t1.a = t3.a AND t1.c = t3.c",
        // Served by functions of the keys, above the shuffle and above the join.
        "SELECT DISTINCT a, b FROM t1 INTERSECT SELECT DISTINCT a, b FROM t2",
        "SELECT a, b FROM t1 INTERSECT SELECT a, b FROM t2")) {
      val runs = fourSql(query)
      for (run <- Seq(runs.stockAdaptive, runs.oursAdaptive)) {
        val reads = nodes(run) { case r: AQEShuffleReadExec => r }
        assert(reads.size == run.shuffles && reads.forall(_.hasCoalescedPartition), planText(run))
      }
    }
  }

  test("15: so is one below a broadcast, after the joins beside it have become broadcast joins") {
    val runs = fourSql(
      "SELECT /*+ BROADCAST(x) */ t3.d FROM t3 JOIN (SELECT a FROM t1 INTERSECT " +
        "SELECT a FROM (SELECT a, count(*) AS n FROM t2 GROUP BY a) WHERE n > 1) x ON t3.a = x.a",
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10MB")
    assertSomeRows(runs)
    assert(runs.oursAdaptive.shuffles < runs.stockAdaptive.shuffles, planText(runs.oursAdaptive))
    val reads = nodes(runs.oursAdaptive) { case r: AQEShuffleReadExec => r }
    assert(reads.size == runs.oursAdaptive.shuffles, planText(runs.oursAdaptive))
  }

  test("15: local reads stay where nothing relies on the partitioning") {
    val runs = fourSql("SELECT t1.a, t1.b, t2.d FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b",
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10MB")
    assertSomeRows(runs)
    assert(localReads(runs.stockAdaptive) > 0, planText(runs.stockAdaptive))
    assert(localReads(runs.oursAdaptive) == localReads(runs.stockAdaptive),
      planText(runs.oursAdaptive))
  }

  private def localReads(run: Executed): Int =
    nodes(run) { case r: AQEShuffleReadExec if r.isLocalRead => r }.size

  private def joins(run: Executed): Seq[ShuffledJoin] = nodes(run) { case j: ShuffledJoin => j }
}
