package io.colocate.testing

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ValidateRequirements

/**
 * One query, run by Spark alone and with Colocate, without adaptive execution or with it: one of the two by
 * turns, and the other where a test looks at it; at night both. Whatever a test then asks of the plans,
 * these hold: equal rows (or the same error), Spark's requirements met, rows on real partitions where the
 * plan says, no more shuffles than Spark alone, and explain() says how many there are.
 */
trait FourRuns extends AnyFunSuite with ColocateTestSession {

  private val turns = Iterator.from(math.abs(suiteName.hashCode))

  /** Each is run once, when it is first looked at; `planned` plans without adaptive execution, and runs nothing. */
  final protected class Four(run: RunConf => Executed, planned: Boolean => SparkPlan) {
    private val ways = Nightly.half(Seq(false, true), turns.next())
    private var first: Option[Outcome] = None

    lazy val stock: Executed = checked(RunConf(colocate = false, adaptive = false))
    lazy val stockAdaptive: Executed = checked(RunConf(colocate = false, adaptive = true))
    lazy val ours: Executed = checked(RunConf(colocate = true, adaptive = false))
    lazy val oursAdaptive: Executed = checked(RunConf(colocate = true, adaptive = true))

    private def checked(how: RunConf): Executed = {
      val done = run(how)
      checkRows(first.getOrElse(done.outcome), done)
      first = first.orElse(Some(done.outcome))
      // The others are compared with Spark's plan first.
      if (how.colocate && !ways.contains(how.adaptive)) checkPlaces(done)
      done
    }

    /** Of the ways whose turn it is. */
    val alone: Seq[Executed] = ways.map(if (_) stockAdaptive else stock)
    val own: Seq[Executed] = ways.map(if (_) oursAdaptive else ours)
    def pairs: Seq[(Executed, Executed)] = alone.zip(own)
    def all: Seq[Executed] = alone ++ own

    lazy val stockPlan: SparkPlan = planned(false)
    lazy val ourPlan: SparkPlan = planned(true)
    def stockCount: Int = Exchanges.count(stockPlan)
    def ourCount: Int = Exchanges.count(ourPlan)
  }

  /**
   * Joins shuffle unless a test sets otherwise, and so does what one task could keep to itself: tables
   * of a few rows stand for large ones.
   */
  protected def four(settings: (String, String)*)(query: => DataFrame): Four = {
    assumeExtension()
    val all = TestConf.noBroadcast ++ TestConf.noGather ++ settings
    val runs = new Four(how => execute(how, all: _*)(query),
      colocate =>
        withConf(RunConf(colocate, adaptive = false).settings ++ all: _*)(
          query.queryExecution.executedPlan))
    if (runs.alone.head.outcome.isInstanceOf[Rows]) checkPlans(runs)
    runs
  }

  protected def fourSql(text: String, settings: (String, String)*): Four =
    four(settings: _*)(sql(text))

  private def checkRows(expected: Outcome, run: Executed): Unit =
    Outcome.difference(expected, run.outcome)
      .foreach(d => fail(s"${run.run}: $d\n${planText(run)}"))

  private def checkPlaces(run: Executed): Unit =
    if (run.outcome.isInstanceOf[Rows])
      assert(PhysicalOracle.check(run.plan.get).violations.isEmpty, planText(run))

  private def checkPlans(runs: Four): Unit = {
    assert(ValidateRequirements.validate(runs.ourPlan), runs.ourPlan)
    // A plan that is Spark's own needs no look at its partitions.
    for ((off, on) <- runs.pairs if off.shape != on.shape) checkPlaces(on)
    assert(Reports.said(runs.ourPlan) == ((runs.stockCount, runs.ourCount)),
      s"${runs.stockPlan}\n${runs.ourPlan}")
    for ((off, on) <- runs.pairs) assert(on.shuffles <= off.shuffles, planText(off, on))
  }

  /** The test is about rows; there must be some. */
  protected def assertSomeRows(runs: Four): Unit = runs.alone.head.outcome match {
    case rows: Rows => assert(rows.size > 1, "a case needs rows to compare")
    case failed => fail(s"$failed")
  }

  protected def assertShuffles(runs: Four, stock: Int, ours: Int): Unit = {
    assertSomeRows(runs)
    for (run <- runs.alone) assert(run.shuffles == stock, planText(run))
    for (run <- runs.own) assert(run.shuffles == ours, planText(run))
    assert(runs.stockCount == stock, runs.stockPlan)
    assert(runs.ourCount == ours, runs.ourPlan)
  }

  protected def planText(runs: Executed*): Clue =
    new Clue(runs.map(run => s"${run.run}\n${run.plan.getOrElse("")}").mkString("\n"))

  /** Nodes of one kind in a plan that was run. */
  protected def nodes[T <: SparkPlan](run: Executed)(pick: PartialFunction[SparkPlan, T]): Seq[T] =
    run.plan.toSeq.flatMap(Exchanges.nodes).collect(pick)
}
