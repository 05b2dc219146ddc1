package io.colocate.explain.view

import scala.xml.XML

import io.colocate.explain.ExplainSession
import io.colocate.explain.plan.{Mark, Pictures, PlanLines}
import io.colocate.rule.ColocateConf

class BeforeAfterSuite extends ExplainSession {
  import Pictures._

  private val view = BeforeAfter(PlanSide(2,
    Seq(op("Agg", shuffle("a, b", op("Window", shuffle("a", op("Scan <t> \"q\" & 'r'"))))))),
    PlanSide(1, Seq(op("Agg", op("Window", shuffle("a", op("Scan <t> \"q\" & 'r'")))))),
    QueryReport(1, Some(ExplainSession.counting(stock = 2, ours = 1)), Nil, finished = false),
    enabled = true)

  test("text: two columns, the shuffle that is gone has an empty place on the right") {
    val lines = BeforeAfterText.render(view, width = 85).split("\n").toSeq
    assert(lines.head ==
      "exchanges: 1 (Spark alone: 2), estimated shuffle 12.3 MiB (Spark alone: 20.1 MiB)")
    assert(lines.contains("- Exchange hashpartitioning(a, b)         |"))
    assert(
      lines.contains("* Exchange hashpartitioning(a)            | Exchange hashpartitioning(a)"))
    assert(lines.contains("- shuffle of Spark alone, gone   * shuffle in both"))
    assert(lines.exists(_.startsWith("removed: SortMergeJoin (a, b) is served by (a)")))
    assert(lines.forall(_.length <= 85) || lines.filter(_.length > 85).forall(_.contains("[")))
  }

  private def bars(html: String): Int = (XML.loadString(html) \\ "span").count(_ \@ "style" != "")

  test("HTML: well formed, escaped, and the reasons in a table") {
    val html = BeforeAfterHtml.render(view)
    val page = XML.loadString(html)
    val cells = (page \\ "td").map(_.text)
    assert(cells.count(_.contains("Scan <t> \"q\" & 'r'")) == 2)
    assert((page \\ "td").filter(c => (c \@ "class") == "gone").map(_.text) ==
      Seq("Exchange hashpartitioning(a, b)"))
    assert(cells.contains("SUBSET_KEYS") && cells.contains("UNKNOWN_SIZE"))
    assert(bars(html) == 4)
    assert(!html.contains("http"))
  }

  test("HTML: without sizes there is one pair of bars") {
    val none = view.copy(report = view.report.copy(planned = None))
    assert(bars(BeforeAfterHtml.render(none)) == 2)
  }

  test("Mermaid: two boxes, every operator once, nothing that could be markup") {
    val lines = BeforeAfterMermaid.render(view).split("\n").map(_.trim).toSeq
    assert(lines(1) == "flowchart BT")
    assert(lines.count(_.startsWith("subgraph")) == 2 && lines.count(_ == "end") == 2)
    assert(lines.count(_.contains(":::gone")) == 1 && lines.count(_.contains(":::kept")) == 2)
    assert(lines.count(_.contains("-->")) == 4 + 3)
    val labels = lines.filter(_.contains(":::")).map(_.replaceAll("^\\w+\\[\"|\"]:::\\w+$", ""))
    assert(labels.size == 9)
    assert(labels.forall(label => !label.exists("\"<>&`".contains(_))))
  }

  for (on <- Seq(true, false)) {
    test(s"a query is planned twice and not run, AQE $on") {
      aqe(on) {
        val found = BeforeAfter.of(spark, join)
        assert(found.stock.exchanges == 3 && found.colocate.exchanges == 3)
        assert(found.rows.map(_.mark).count(_ == Mark.Kept) == 3)
        assert(found.summary.startsWith("exchanges: 3 (Spark alone: 3)"))
      }
    }
  }

  test("a command is not run") {
    val found = BeforeAfter.of(spark, s"CREATE TABLE never USING parquet AS $groups")
    assert(found.enabled)
    assert(!spark.catalog.tableExists("never"))
  }

  test("Spark alone is planned with the settings of the session, but without us") {
    withConf("spark.sql.shuffle.partitions" -> "13") {
      val found = BeforeAfter.of(spark, groups)
      val alone = PlanLines.of(found.stock.parts).map(_.text)
      assert(alone.exists(_.contains("hashpartitioning(a, b, 13)")))
    }
    assert(spark.conf.getOption(ColocateConf.Enabled.key).isEmpty)
  }

  test("switched off: both are Spark's, and the view says so") {
    withConf(ColocateConf.Enabled.key -> "false") {
      val found = BeforeAfter.of(spark, groups)
      assert(found.summary ==
        "exchanges: 1 (Spark alone: 1); switched off (spark.colocate.enabled is false)")
    }
  }

  test("a plan's lines carry no ids of expressions and plans") {
    val lines = PlanLines.of(PlanSide.of(plan(spark.sql(join))).parts).map(_.text)
    assert(lines.forall(line => !line.contains("#") && !line.contains("plan_id")), lines)
  }
}
