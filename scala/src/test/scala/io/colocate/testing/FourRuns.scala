package io.colocate.testing

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ValidateRequirements

/**
 * One query, run by Spark alone and with Colocate, without adaptive execution and with it. Whatever a
 * test then asks of the plans, these hold: equal rows (or the same error), Spark's requirements met,
 * rows on real partitions where the plan says, no more shuffles than Spark alone, and explain() says
 * how many there are.
 */
trait FourRuns extends AnyFunSuite with ColocateTestSession {

  protected case class Four(
      stock: Executed,
      stockAdaptive: Executed,
      ours: Executed,
      oursAdaptive: Executed) {

    def pairs: Seq[(Executed, Executed)] = Seq(stock -> ours, stockAdaptive -> oursAdaptive)
    def all: Seq[Executed] = Seq(stock, stockAdaptive, ours, oursAdaptive)
  }

  /**
   * Joins shuffle unless a test sets otherwise, and so does what one task could keep to itself: tables
   * of a few rows stand for large ones.
   */
  protected def four(settings: (String, String)*)(query: => DataFrame): Four = {
    assumeExtension()
    def run(colocate: Boolean, adaptive: Boolean) =
      execute(RunConf(colocate, adaptive),
        TestConf.noBroadcast ++ TestConf.noGather ++ settings: _*)(query)
    val runs = Four(run(colocate = false, adaptive = false), run(colocate = false, adaptive = true),
      run(colocate = true, adaptive = false), run(colocate = true, adaptive = true))
    checkRows(runs)
    if (runs.stock.outcome.isInstanceOf[Rows]) checkPlans(runs)
    runs
  }

  protected def fourSql(text: String, settings: (String, String)*): Four =
    four(settings: _*)(sql(text))

  private def checkRows(runs: Four): Unit = for (run <- runs.all.tail)
    Outcome.difference(runs.stock.outcome, run.outcome)
      .foreach(d => fail(s"${run.run}: $d\n${planText(run)}"))

  private def checkPlans(runs: Four): Unit = {
    assert(ValidateRequirements.validate(runs.ours.plan.get), planText(runs.ours))
    // A plan that is Spark's own needs no look at its partitions.
    for ((off, on) <- runs.pairs if off.shape != on.shape) {
      val seen = PhysicalOracle.check(on.plan.get)
      assert(seen.violations.isEmpty, planText(on))
    }
    val said = Reports.said(runs.ours.plan.get)
    assert(said == ((runs.stock.shuffles, runs.ours.shuffles)), planText(runs.stock, runs.ours))
    for ((off, on) <- runs.pairs) assert(on.shuffles <= off.shuffles, planText(off, on))
  }

  /** The test is about rows; there must be some. */
  protected def assertSomeRows(runs: Four): Unit = runs.stock.outcome match {
    case rows: Rows => assert(rows.size > 1, "a case needs rows to compare")
    case failed => fail(s"$failed")
  }

  protected def assertShuffles(runs: Four, stock: Int, ours: Int): Unit = {
    assertSomeRows(runs)
    for (run <- Seq(runs.stock, runs.stockAdaptive)) assert(run.shuffles == stock, planText(run))
    for (run <- Seq(runs.ours, runs.oursAdaptive)) assert(run.shuffles == ours, planText(run))
  }

  protected def planText(runs: Executed*): Clue =
    new Clue(runs.map(run => s"${run.run}\n${run.plan.getOrElse("")}").mkString("\n"))

  /** Nodes of one kind in a plan that was run. */
  protected def nodes[T <: SparkPlan](run: Executed)(pick: PartialFunction[SparkPlan, T]): Seq[T] =
    run.plan.toSeq.flatMap(Exchanges.nodes).collect(pick)
}
