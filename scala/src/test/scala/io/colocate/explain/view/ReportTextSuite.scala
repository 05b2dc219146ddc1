package io.colocate.explain.view

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.exchange.memory.{Decline, ExchangeReport, Removal}
import io.colocate.explain.ExplainSession
import io.colocate.report.{Bytes, ExchangeReasons, Reason}

class ReportTextSuite extends AnyFunSuite {
  import ExplainSession.report

  private def query(exchanges: Int, planned: Option[ExchangeReport]) =
    QueryReport(exchanges, planned, atRunTime = None, finished = true)

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
      val text = ReportText.summary(query(3, Some(report.copy(stockBytes = unknown))))
      assert(text == "exchanges: 3 (Spark alone: 5)", s"for $unknown")
    }
  }

  test("summary: a plan that the planner did not look at has no counts to compare") {
    assert(ReportText.summary(query(4, None)) == "exchanges: 4, all by Spark alone")
  }

  test("a removal is one line with operator, keys, layout, facts and evidence") {
    assert(ReportText.removal(report.removals.head) ==
      "removed: SortMergeJoin (a, b) is served by (a)" +
      " [SUBSET_KEYS: rows hashed on (a) are already together for (a, b)]" +
      " [SMALL_EDGE: the largest partition is estimated at 1.2 MiB (256.0 MiB allowed)]")
  }

  test("a removal without keys") {
    assert(ReportText.removal(Removal("Window", Nil, Nil, Nil)) == "removed: Window")
  }

  test("a decline is one line with code and sentence") {
    assert(ReportText.decline(report.declines.head) ==
      "kept: HashAggregate (c, d) [UNKNOWN_SIZE: (c) of (c, d) would do, but neither size nor" +
      " distinct values are known]")
  }

  test("a decline of the whole plan has no keys") {
    val decline = Decline("Sort", Nil, Reason(ExchangeReasons.NothingToDo, Nil: _*))
    assert(ReportText.decline(decline).startsWith("kept: Sort [NOTHING_TO_DO: "))
  }

  test("what was decided at run time is said to be") {
    val later = report.copy(removals = Nil)
    val lines = ReportText.reasons(query(3, None).copy(atRunTime = Some(later)))
    assert(lines.size == 1 && lines.head.startsWith("at run time, kept: HashAggregate"))
  }

  test("sizes in steps of 1024") {
    assert(Seq(0.0, 1023.0, 1024.0, 1536.0, 1.5e12).map(Bytes.text) ==
      Seq("0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.4 TiB"))
  }
}
