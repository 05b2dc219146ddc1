package io.colocate.exchange

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.explain.view.{QueryReport, ReportText}
import io.colocate.testing.{CaseFile, Clue, ColocateTestSession, EveryThird, Exchanges, Executed, ForcedPlans, Nightly, Outcome, QueryCase, Reports, Rows, RunConf, TestConf, TestTables}

/**
 * The catalogue of query shapes: Spark alone runs as many shuffles as the case says, Colocate as many
 * as it takes, the rows are equal, with and without adaptive execution. A case whose comparison did
 * not exercise the planner (no rows, no changed shuffle) fails. The cases are in
 * src/test/resources/sql/catalogue*.sql.
 *
 * To run it whole, one file's cases, or one case:
 * {{{
 *   build/sbt "scala/testOnly *CatalogueSuite"
 *   build/sbt "scala/testOnly *CatalogueSuite -- -z negative"
 *   build/sbt 'scala/testOnly *CatalogueSuite -- -z "fewer 18:"'
 * }}}
 */
class CatalogueSuite extends AnyFunSuite with ColocateTestSession with EveryThird {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.createAll(spark)
  }

  for ((shape, turn) <- CaseFile.read("sql/catalogue.sql").zipWithIndex)
    test(s"fewer ${shape.name}") {
      val runs = new Runs(shape, turn)
      checkStock(runs)
      assumeExtension()
      checkColocate(runs)
      checkFact(runs)
      checkSaid(runs)
      checkExercised(runs)
    }

  for ((shape, turn) <- CaseFile.read("sql/catalogue-optimal.sql").zipWithIndex)
    test(s"optimal ${shape.name}") {
      val runs = new Runs(shape, turn)
      checkStock(runs)
      assumeExtension()
      checkColocate(runs)
    }

  for ((shape, turn) <- CaseFile.read("sql/catalogue-negative.sql").zipWithIndex) {
    test(s"negative ${shape.name}") {
      val runs = new Runs(shape, turn)
      checkStock(runs)
      assumeExtension()
      checkColocate(runs)
    }
    test(s"negative ${shape.name}, by force: other rows", Nightly.turn(turn, every = 2): _*) {
      checkForced(shape)
    }
  }

  /**
   * The runs of one case, each done once and only where it is looked at: with adaptive execution or without,
   * by turns; at night in both ways.
   */
  private class Runs(val shape: QueryCase, turn: Int) {
    private val ways = Nightly.half(Seq(false, true), turn)

    lazy val stock: Seq[Executed] = ways.map(way => run(RunConf(colocate = false, way)))
    lazy val colocate: Seq[Executed] = ways.map(way => run(RunConf(colocate = true, way)))

    /** Where a choice needs evidence, this mode takes it without. Its turn is the other way's. */
    lazy val aggressive: Executed =
      run(RunConf(colocate = true, adaptive = !ways.head),
        "spark.colocate.exchange.mode" -> "aggressive")

    /** What is planned without adaptive execution, not run. */
    lazy val planned: SparkPlan =
      withConf(settings ++ RunConf(colocate = true, adaptive = false).settings: _*)(
        frame(shape).queryExecution.executedPlan)

    private def settings = TestConf.noBroadcast ++ TestConf.noGather
    private def run(how: RunConf, more: (String, String)*): Executed =
      execute(how, settings ++ more: _*)(frame(shape))
  }

  private def checkStock(runs: Runs): Unit = for (stock <- runs.stock) {
    assertRows(stock)
    assert(stock.shuffles == runs.shape.stock, text(stock))
  }

  private def checkColocate(runs: Runs): Unit = {
    for (ours <- runs.colocate) {
      assertSameRows(runs.stock.head, ours)
      assert(ours.shuffles == runs.shape.least, text(ours))
    }
    assert(Reports.said(runs.planned) == ((runs.shape.stock, runs.shape.least)), runs.planned)
    assertSameRows(runs.stock.head, runs.aggressive)
    assert(runs.aggressive.shuffles == runs.shape.least, text(runs.aggressive))
  }

  /** A case that is the example of a fact rests on it. */
  private def checkFact(runs: Runs): Unit =
    for (fact <- runs.shape.attributes.get("fact"); ours <- runs.colocate)
      assert(Reports.reasons(ours).map(_.name).contains(fact), text(ours))

  /** Each shuffle that is saved has its line in explain(). */
  private def checkSaid(runs: Runs): Unit = {
    val lines = ReportText.reasons(QueryReport.of(runs.planned)).count(_.startsWith("removed: "))
    assert(lines >= runs.shape.stock - runs.shape.least, runs.planned)
  }

  /** The flip of the switch must really have moved something, or the equal rows say nothing. */
  private def checkExercised(runs: Runs): Unit = for ((off, on) <- runs.stock.zip(runs.colocate)) {
    assert(off.shape != on.shape, text(on))
    if (runs.shape.attributes.get("bytes").contains("fewer")) {
      assert(records(on) < records(off), "rows written by shuffles")
      assert(bytes(on) < bytes(off), "bytes written by shuffles")
    }
  }

  private def checkForced(shape: QueryCase): Unit =
    withConf(RunConf(colocate = false, adaptive = false).settings ++ TestConf.noBroadcast :+
        ("spark.sql.codegen.wholeStage" -> "false"): _*) {
      val stock = Outcome(frame(shape).collect().toSeq)
      val plan = ForcedPlans(frame(shape).queryExecution.executedPlan, shape.attributes)
      val forced = Outcome(ForcedPlans.rows(plan))
      Seq(stock, forced).foreach(o =>
        assert(o.isInstanceOf[Rows], s"an error proves nothing\n$plan"))
      assert(Outcome.difference(stock, forced).isDefined,
        s"the rows are the same without the shuffle:\n$plan")
    }

  private def frame(shape: QueryCase): DataFrame =
    shape.attributes.get("builder").map(CatalogueBuilders.all(_)(spark)).getOrElse(sql(shape.sql))

  private def assertRows(run: Executed): Unit = run.outcome match {
    case rows: Rows => assert(rows.size > 1, "a case needs rows to compare")
    case failed => fail(s"${run.run}: $failed")
  }

  private def assertSameRows(expected: Executed, actual: Executed): Unit =
    Outcome
      .difference(expected.outcome, actual.outcome)
      .foreach(d => fail(s"${actual.run}: $d\n${text(actual)}"))

  private def records(run: Executed): Long = run.plan.map(Exchanges.recordsWritten).getOrElse(0)
  private def bytes(run: Executed): Long = run.plan.map(Exchanges.bytesWritten).getOrElse(0)
  private def text(run: Executed) = new Clue(s"${run.run}\n${run.plan.getOrElse("")}")
}
