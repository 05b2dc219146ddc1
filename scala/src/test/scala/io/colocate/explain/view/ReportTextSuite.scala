package io.colocate.explain.view

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.explain.ExplainSession
import io.colocate.report.{Bytes, ExchangeReasons, Finding, PlanReport, Reason, TableReasons}

class ReportTextSuite extends AnyFunSuite {
  import ExplainSession.{kept, removed, report}

  private def query(exchanges: Int, planned: Option[PlanReport]) =
    QueryReport(exchanges, planned, atRunTime = Nil, finished = true)

  test("summary: counts and bytes with and without") {
    assert(ReportText.summary(query(3, Some(report))) ==
      "exchanges: 3 (Spark alone: 5), estimated shuffle 12.3 MiB (Spark alone: 20.1 MiB)")
  }

  test("summary: a plan that changed at run time says what was planned too") {
    assert(ReportText
        .summary(query(2, Some(report)))
        .startsWith("exchanges: 2 (planned 3; Spark alone: 5)"))
  }

  test("summary: unknown bytes are not shown") {
    Seq(Double.NaN, Double.PositiveInfinity, 0.0, -1.0, 1e19).foreach { unknown =>
      val text =
        ReportText.summary(query(3, Some(report.copy(stock = report.stock.copy(bytes = unknown)))))
      assert(text == "exchanges: 3 (Spark alone: 5)", s"for $unknown")
    }
  }

  test("summary: a plan that the planner did not look at has no counts to compare") {
    assert(ReportText.summary(query(4, None)) == "exchanges: 4, all by Spark alone")
  }

  test("a removal is one line with operator, keys, layout, facts and evidence") {
    assert(ReportText.lines(removed) == Seq("removed: SortMergeJoin (a, b) is served by (a)" +
      " [SUBSET_KEYS: rows hashed on (a) are already together for (a, b)]" +
      " [SMALL_EDGE: the largest partition is estimated at 1.2 MiB (256.0 MiB allowed)]"))
  }

  test("removals that read alike are a line each, what was declined for one reason is one") {
    val twice = report.copy(findings = Seq(removed, kept, removed, kept))
    assert(ReportText.reasons(query(3, Some(twice))).map(_.takeWhile(_ != ' ')) ==
      Seq("removed:", "kept:", "removed:"))
  }

  test("a removal without keys") {
    assert(ReportText.lines(ExchangeFindings.removed("Window", Nil, Nil, Nil)) ==
      Seq("removed: Window"))
  }

  test("a decline is one line with code and sentence") {
    assert(ReportText.lines(kept) == Seq(
      "kept: HashAggregate (c, d) [UNKNOWN_SIZE: (c) of (c, d) would do, but neither size nor" +
        " distinct values are known]"))
  }

  test("a decline of the whole plan has no keys") {
    val decline = ExchangeFindings.kept("Sort", Nil, Reason(ExchangeReasons.NothingToDo))
    assert(ReportText.lines(decline).head.startsWith("kept: Sort [NOTHING_TO_DO: "))
  }

  test("what was decided at run time is said to be") {
    val lines = ReportText.reasons(query(3, None).copy(atRunTime = Seq(kept)))
    assert(lines.size == 1 && lines.head.startsWith("at run time, kept: HashAggregate"))
  }

  test("findings on parts of a place stand below it, and count as what was left to Spark") {
    val part = Finding.kept("layout", "not pruned", "Scan t", Seq("x > 1"), "not pruned by x > 1",
      Reason(TableReasons.FilterVaries))
    val scan = Finding.noted("layout", "scan", "Scan t", "scan: t", Seq(part))
    val whole = query(3, Some(report)).copy(others = Seq(scan))
    assert(ReportText.reasons(whole).takeRight(2).map(_.takeWhile(_ != '[')) ==
      Seq("scan: t", "  not pruned by x > 1 "))
    assert(whole.kept == Seq(kept, part) && whole.taken == Seq(removed))
  }

  test("sizes in steps of 1024") {
    assert(Seq(0.0, 1023.0, 1024.0, 1536.0, 1.5e12).map(Bytes.text) ==
      Seq("0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.4 TiB"))
  }
}
