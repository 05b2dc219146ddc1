package io.colocate.exchange.replan

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, Literal}
import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, Cost, CostEvaluator, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, ShuffledJoin}
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.apache.spark.sql.execution.window.{WindowExec, WindowGroupLimitExec}
import org.apache.spark.sql.functions.call_function
import org.apache.spark.sql.streaming.Trigger

import io.colocate.explain.ColocateExplainProvider
import io.colocate.report.ExchangeReasons
import io.colocate.testing.{EveryThird, Exchanges, Executed, ForcedPlans, FourRuns, Late, Nightly, Outcome, Reports, Rows, TestTables}

/**
 * What one task reads stays in one task ([[KeepOnePartition]]): under adaptive execution only, where all that
 * is below are finished small stages. Each case compares rows with Spark alone, with adaptive
 * execution on and off, and rows on real partitions with what the plan says.
 *
 * {{{
 *   build/sbt "scala/testOnly *KeepOnePartitionSuite"
 * }}}
 */
class KeepOnePartitionSuite extends FourRuns with EveryThird {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    Late.register(spark, "late")
    sql("CREATE TABLE fact USING parquet PARTITIONED BY (p) AS " +
      "SELECT id AS v, CAST(id % 10 AS INT) AS p FROM range(0, 1000)")
  }

  private val on = "spark.colocate.exchange.gather" -> "true"

  private def gathered(query: String, settings: (String, String)*): Four =
    fourSql(query, on +: settings: _*)

  private def coalesced(run: Executed): Seq[CoalesceExec] =
    nodes(run) { case c @ CoalesceExec(1, _) => c }

  /** Spark alone, and without adaptive execution we too, have as many shuffles. */
  private def assertGathered(runs: Four, stock: Int, ours: Int): Unit = {
    assertSomeRows(runs)
    assert(runs.stockAdaptive.shuffles == stock, planText(runs.stockAdaptive))
    assert(runs.oursAdaptive.shuffles == ours, planText(runs.oursAdaptive))
    assert(coalesced(runs.oursAdaptive).nonEmpty, planText(runs.oursAdaptive))
    assert(Reports.reasons(runs.oursAdaptive)(ExchangeReasons.OnePartition),
      Reports.of(runs.oursAdaptive))
    assert(coalesced(runs.ours).isEmpty, planText(runs.own: _*))
  }

  private def assertLeft(runs: Four): Unit = {
    assertSomeRows(runs)
    assert(coalesced(runs.oursAdaptive).isEmpty, planText(runs.oursAdaptive))
    assert(runs.oursAdaptive.shuffles == runs.ourCount, planText(runs.oursAdaptive))
    assert(!Reports.reasons(runs.oursAdaptive)(ExchangeReasons.OnePartition))
  }

  private val window =
    "SELECT a, n, sum(a) OVER (PARTITION BY n) AS s FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a)"

  /** It is finished after the other side of a join, which is shuffled when the query begins. */
  private val late = "(SELECT a, count(*) AS n FROM (SELECT late(a) AS a FROM t1) GROUP BY a)"

  private val neverBroadcast = "spark.sql.autoBroadcastJoinThreshold" -> "-1"

  private def noWholeStage = "spark.sql.codegen.wholeStage" -> "false"

  test("a window over an aggregate on other keys") {
    assertGathered(gathered(window), stock = 2, ours = 1)
  }

  test("by force, the same without the coalesced partition: other rows") {
    val run = gathered(window, noWholeStage).oursAdaptive
    val operator = nodes(run) { case w: WindowExec => w }.head
    val forced = ForcedPlans.uncoalesced(operator)
    assert(forced.exists(_.isInstanceOf[ShuffleQueryStageExec]), forced)
    val rows = Outcome(ForcedPlans.rows(forced))
    assert(rows.isInstanceOf[Rows], s"an error proves nothing\n$forced")
    assert(Outcome.difference(Outcome(ForcedPlans.rows(operator)), rows).isDefined, forced)
  }

  test("an order of all rows") {
    val query = "SELECT a, count(*) AS n FROM t1 GROUP BY a ORDER BY n DESC, a"
    val runs = gathered(query)
    assertGathered(runs, stock = 2, ours = 1)
    assert(nodes(runs.oursAdaptive) { case s: SortExec if s.global => s }.nonEmpty)
    val inOrder = Seq(true, false).map { colocate =>
      withConf("spark.colocate.enabled" -> colocate.toString, on)(sql(query).collect().toSeq)
    }
    assert(inOrder.head == inOrder.last)
  }

  test("all rows at one place: a count of groups") {
    assertGathered(gathered(
        "SELECT count(*) AS n, sum(m) AS s FROM (SELECT a, b, max(d) AS m FROM t1 GROUP BY a, b)" +
          " UNION ALL SELECT 1, 2"), stock = 2, ours = 1)
  }

  test("joins of every type whose sides are both small stages") {
    val sides = s"$late x %s JOIN t3 y ON x.n = y.d"
    val joins = Seq("", "LEFT", "RIGHT", "FULL", "LEFT SEMI", "LEFT ANTI")
    val all = for (join <- joins; hint <- Seq("MERGE(y)", "SHUFFLE_HASH(y)")) yield (join, hint)
    for ((join, hint) <- Nightly.part(all, every = 3)) {
      val runs = gathered(s"SELECT /*+ $hint */ * FROM ${sides.format(join)}")
      assertGathered(runs, stock = 3, ours = 2)
      assert(coalesced(runs.oursAdaptive).size == 2, planText(runs.oursAdaptive))
    }
  }

  test("a limit of all rows") {
    val limited = "(SELECT 7 AS k FROM (SELECT a, b FROM t1 GROUP BY a, b) LIMIT 3)"
    val runs = gathered(s"SELECT * FROM $limited UNION ALL SELECT 8")
    assertGathered(runs, stock = 2, ours = 1)
    assert(nodes(runs.oursAdaptive) { case l: GlobalLimitExec => l }.nonEmpty)
  }

  test("the first rows of an order are left, which Coalesce need not keep") {
    assertLeft(
      gathered("SELECT DISTINCT a FROM (SELECT a, b, d FROM t1 ORDER BY d, a, b OFFSET 2)"))
  }

  test("an aggregate over a union of small stages") {
    val union =
      "(SELECT count(*) AS k FROM t1 GROUP BY a UNION ALL SELECT count(*) FROM t2 GROUP BY b)"
    assertGathered(gathered(s"SELECT k % 3 AS k, count(*) AS n FROM $union GROUP BY k % 3"),
      stock = 3, ours = 2)
  }

  test("an input without rows") {
    val query = "SELECT n, count(*) AS m FROM (SELECT a, count(*) AS n FROM t1 WHERE d > 1000 " +
      "GROUP BY a) GROUP BY n UNION ALL SELECT 0, 0 UNION ALL SELECT 1, 1"
    val runs = gathered(query)
    assertSomeRows(runs)
    assert(runs.oursAdaptive.shuffles <= runs.stockAdaptive.shuffles, planText(runs.oursAdaptive))
  }

  test("a chain of aggregates needs one shuffle") {
    val query = "SELECT m, count(*) AS k FROM (SELECT n, count(*) AS m FROM " +
      "(SELECT a, count(*) AS n FROM t1 GROUP BY a) GROUP BY n) GROUP BY m ORDER BY m"
    assertGathered(gathered(query), stock = 4, ours = 1)
  }

  test("ranks that Spark limits before it shuffles") {
    val query = "SELECT * FROM (SELECT a, n, rank() OVER (PARTITION BY n ORDER BY a) AS r FROM " +
      "(SELECT a, count(*) AS n FROM t1 GROUP BY a)) WHERE r <= 2"
    val runs = gathered(query)
    assertGathered(runs, stock = 2, ours = 1)
    assert(nodes(runs.oursAdaptive) { case w: WindowGroupLimitExec => w }.size == 2)
  }

  test("in a subquery") {
    val query = "SELECT a, b FROM t1 WHERE b > (SELECT min(n) FROM " +
      "(SELECT a, count(*) % 4 AS n FROM t2 GROUP BY a))"
    assertGathered(gathered(query), stock = 2, ours = 1)
  }

  test("it can be switched off, and is off where Spark coalesces no partitions") {
    for (setting <- Seq("spark.colocate.exchange.gather" -> "false",
        "spark.sql.adaptive.coalescePartitions.enabled" -> "false"))
      assertLeft(gathered(window, setting))
  }

  test("stages above Spark's least size are read by several tasks") {
    assertLeft(gathered(window, "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "1B"))
  }

  test("the user's own partitions are left") {
    val query = "SELECT a, max(d) AS m FROM (SELECT /*+ REPARTITION(3, b) */ * FROM t1) GROUP BY a"
    assertLeft(gathered(query))
  }

  test("one side of a join is small: both are shuffled; both are small: none") {
    val query = s"SELECT x.n, fact.p FROM $late x JOIN fact ON x.n = fact.v"
    assertLeft(gathered(query, "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "4KB"))
    assertGathered(gathered(query), stock = 3, ours = 2)
  }

  test("what is computed from a table is shuffled") {
    assertLeft(gathered("SELECT a, max(d) AS m FROM t1 GROUP BY a"))
  }

  test("after a join that makes many rows several tasks go on") {
    val query = "SELECT m, count(*) AS n FROM (SELECT x.b + y.b AS m FROM " +
      "(SELECT b, a FROM t1 GROUP BY b, a) x JOIN (SELECT b, c FROM t2 GROUP BY b, c) y " +
      "ON x.b = y.b) GROUP BY m"
    assertGathered(gathered(query), stock = 5, ours = 2)
    val narrow = Seq("spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1KB",
      "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "1MB")
    assertLeft(gathered(query, narrow: _*))
  }

  test("what is broadcast is planned as before, and prunes the partitions of the other side") {
    val query = "SELECT fact.v FROM fact JOIN (SELECT n, max(a) AS a FROM " +
      "(SELECT a % 3 AS a, count(*) % 2 AS n FROM t1 WHERE a IS NOT NULL GROUP BY a % 3) GROUP BY n) s " +
      "ON fact.p = s.a WHERE s.n < 5"
    val runs = gathered(query, "spark.sql.autoBroadcastJoinThreshold" -> "10MB",
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10MB")
    assertSomeRows(runs)
    for (run <- Seq(runs.stockAdaptive, runs.oursAdaptive)) {
      assert(nodes(run) { case j: BroadcastHashJoinExec => j }.nonEmpty, planText(run))
      assert(pruned(run), planText(run))
    }
    assert(coalesced(runs.oursAdaptive).isEmpty, planText(runs.oursAdaptive))
  }

  test("a stream is left, where the same query over a table is not") {
    def joined(rows: DataFrame): DataFrame =
      rows.select(call_function("late", rows("a")).as("a"), rows("b"))
        .join(spark.table("t2").select("a").distinct(), "a").join(spark.table("t3").select("b",
          "d"), "b")
    assertGathered(four(on)(joined(spark.table("t1"))), stock = 4, ours = 3)

    val location = sql("DESCRIBE FORMATTED t1").where("col_name = 'Location'").head().getString(1)
    val runs =
      for (colocate <- Seq(false, true))
        yield withConf(on, neverBroadcast, "spark.colocate.enabled" -> colocate.toString,
          "spark.sql.adaptive.enabled" -> "true") {
          streamed(s"stream_$colocate",
            joined(spark.readStream.schema(TestTables.schema).parquet(location)))
        }
    for ((rows, plan) <- runs) {
      assert(rows.nonEmpty && plan.exists(_.isInstanceOf[AdaptiveSparkPlanExec]), plan)
      assert(Exchanges.nodes(plan).forall(!_.isInstanceOf[CoalesceExec]), plan)
      assert(Exchanges.count(plan) == 4, plan)
      assert(Outcome.difference(Outcome(runs.head._1), Outcome(rows)).isEmpty)
    }
  }

  /** Rows and last plan of a query over a stream. */
  private def streamed(name: String, query: DataFrame): (Seq[Row], SparkPlan) = {
    val running = query.writeStream.format("memory").queryName(name)
      .option("checkpointLocation", scratch(name)).trigger(Trigger.AvailableNow()).start()
    running.awaitTermination()
    val plan = running.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan
    (spark.table(name).collect().toSeq, plan)
  }

  private def pruned(run: Executed): Boolean = nodes(run) { case s: FileSourceScanExec => s }
    .flatMap(_.partitionFilters).exists {
      case DynamicPruningExpression(Literal.TrueLiteral) => false
      case _: DynamicPruningExpression => true
      case _ => false
    }

  test("a shuffled join below stays as it is") {
    val query = "SELECT x.m, count(*) AS n FROM (SELECT a, max(b) AS m FROM t1 GROUP BY a) x " +
      "JOIN (SELECT a, max(b) AS m FROM t2 GROUP BY a) y ON x.a = y.a GROUP BY x.m"
    val runs = gathered(query)
    assertGathered(runs, stock = 3, ours = 2)
    assert(nodes(runs.oursAdaptive) { case j: ShuffledJoin => j }.nonEmpty)
    assert(coalesced(runs.oursAdaptive).size == 1, planText(runs.oursAdaptive))
  }

  test("explain() says so for a plan that nobody else looked at") {
    val run = gathered("SELECT a, count(*) AS n FROM t1 GROUP BY a ORDER BY n, a").oursAdaptive
    val text = new ColocateExplainProvider().generateExtendedInfo(run.plan.get)
    assert(text.contains("at run time, removed: Sort (n, a) [ONE_PARTITION: one task reads all"),
      text)
    assert(text.contains("exchanges: 1 (planned 2; Spark alone: 2)"), text)
  }

  test("explain() says nothing of it where adaptive execution gave that plan up") {
    DearCoalesce.met.set(0)
    val runs = gathered("SELECT a, count(*) AS n FROM t1 GROUP BY a ORDER BY n, a",
      "spark.sql.adaptive.customCostEvaluatorClass" -> classOf[DearCoalesce].getName)
    assertLeft(runs)
    assert(DearCoalesce.met.get > 0, "no such plan was made")
    val text = new ColocateExplainProvider().generateExtendedInfo(runs.oursAdaptive.plan.get)
    assert(!text.contains("ONE_PARTITION") && text.contains("exchanges: 2 (Spark alone: 2)"), text)
  }
}

/** Adaptive execution takes no plan in which rows are put into one partition. */
final class DearCoalesce extends CostEvaluator {
  override def evaluateCost(plan: SparkPlan): Cost = {
    val coalesced = plan.exists { case CoalesceExec(1, _) => true; case _ => false }
    if (coalesced) DearCoalesce.met.incrementAndGet()
    DearCoalesce.Price(if (coalesced) 100 else Exchanges.count(plan))
  }
}

object DearCoalesce {
  val met = new AtomicInteger

  private case class Price(of: Int) extends Cost {
    override def compare(that: Cost): Int = that match {
      case Price(other) => of.compare(other)
      case _ => throw new IllegalArgumentException(s"$that")
    }
  }
}
