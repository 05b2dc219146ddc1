package io.colocate.testing

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{HashPartitioning, Partitioning}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

/**
 * The oracle and the comparison of rows must be able to fail: plans with a shuffle taken out by force
 * are found out, plans as Spark makes them are not.
 *
 * {{{
 *   build/sbt "scala/testOnly *PhysicalOracleSuite"
 * }}}
 */
class PhysicalOracleSuite extends AnyFunSuite with ColocateTestSession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def plan(query: String): SparkPlan =
    withConf(RunConf(colocate = false, adaptive = false).settings ++ TestConf.noBroadcast :+
        ("spark.sql.codegen.wholeStage" -> "false"): _*)(sql(query).queryExecution.executedPlan)

  private val grouped = "SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY t1.b"

  test("a plan of Spark's is in order") {
    val seen = PhysicalOracle.check(plan(grouped))
    assert(seen.checked == 1 && seen.violations.isEmpty, seen)
  }

  test("an aggregate without its shuffle is found out") {
    val seen = PhysicalOracle.check(ForcedPlans.without(plan(grouped), 0))
    assert(seen.violations.exists(_.contains("under HashAggregate")), seen)
  }

  test("a window without its shuffle is found out") {
    val query = "SELECT b, count(*) OVER (PARTITION BY b) AS n FROM t1"
    val seen = PhysicalOracle.check(ForcedPlans.without(plan(query), 0))
    assert(seen.violations.exists(_.contains("under Window")), seen)
  }

  test("a join with one side laid out otherwise is found out") {
    val query = "SELECT x.a, x.n, t2.d FROM (SELECT /*+ COALESCE(2) */ * FROM " +
      "(SELECT a, count(*) AS n FROM t1 GROUP BY a)) x JOIN t2 ON x.a = t2.a"
    val seen = PhysicalOracle.check(ForcedPlans(plan(query), Map("forcer" -> "coalescedSide")))
    assert(seen.violations.exists(_.contains("on the left")), seen)
  }

  test("rows that lie together, but not where a hash partitioning says, are found out") {
    val oneKey = Seq("SELECT a, count(*) AS n FROM t1 GROUP BY a",
      "SELECT t1.a, t2.d FROM t1 JOIN t2 ON t1.a = t2.a")
    for (query <- oneKey) withClue(query) {
      assert(PhysicalOracle.check(sayingEight(plan(query), really = 8)).violations.isEmpty)
      val seen = PhysicalOracle.check(sayingEight(plan(query), really = 7))
      assert(seen.violations.nonEmpty)
      assert(seen.violations.forall(_.contains("rows are not where hashpartitioning")), seen)
    }
  }

  /** Shuffles into so many partitions, and says of each that there are eight. */
  private def sayingEight(plan: SparkPlan, really: Int): SparkPlan = plan.transformUp {
    case s: ShuffleExchangeExec =>
      val keys = s.outputPartitioning.asInstanceOf[HashPartitioning].expressions
      Saying(s.copy(outputPartitioning = HashPartitioning(keys, really)), HashPartitioning(keys, 8))
  }

  test("0.0 and -0.0, and texts that differ in case only, are one key") {
    val x =
      "SELECT x, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY CAST(x AS STRING)) GROUP BY x"
    val s =
      "SELECT s COLLATE UTF8_LCASE AS s, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY s) " +
        "GROUP BY s COLLATE UTF8_LCASE"
    for (query <- Seq(x, s))
      assert(PhysicalOracle.check(ForcedPlans.without(plan(query), 0)).violations.nonEmpty, query)
  }

  test("rows that differ in a NULL, a NaN, a zero's sign or their number are told apart") {
    def rows(values: String) =
      Outcome(sql(s"SELECT * FROM VALUES $values AS t(v, w)").collect().toSeq)
    val first = rows("(1, 0.0D), (NULL, double('NaN'))")
    assert(Outcome.difference(first, rows("(NULL, double('NaN')), (1, 0.0D)")).isEmpty)
    for (other <- Seq("(1, -0.0D), (NULL, double('NaN'))", "(1, 0.0D), (0, double('NaN'))",
        "(1, 0.0D), (NULL, NULL)", "(1, 0.0D), (NULL, double('NaN')), (1, 0.0D)"))
      assert(Outcome.difference(first, rows(other)).isDefined, other)
  }
}

/** Passes rows on and says of them what need not be so. */
private case class Saying(child: SparkPlan, override val outputPartitioning: Partitioning)
    extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output
  override protected def doExecute(): RDD[InternalRow] = child.execute()
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}
