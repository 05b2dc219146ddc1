package io.colocate.explain

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.SimpleMode

import io.colocate.explain.view.{QueryReport, ReportText}
import io.colocate.report.PlanReport
import io.colocate.rule.ColocateConf

class ColocateExplainProviderSuite extends ExplainSession {

  private def explained(frame: DataFrame): String =
    frame
      .asInstanceOf[org.apache.spark.sql.classic.Dataset[Row]]
      .queryExecution
      .explainString(SimpleMode)

  private def section(frame: DataFrame): String = {
    val parts = explained(frame).split("== Extended Information \\(Colocate\\) ==\n")
    assert(parts.length == 2, "one section, for a session that only has the extension")
    parts(1).trim
  }

  private val reasons = ReportText
    .section(QueryReport(1, Some(ExplainSession.report), Nil, finished = false))
    .split("\n")
    .tail

  for (query <- Seq(groups, join)) {
    test(s"initial and final plan under AQE: $query") {
      aqe(on = true) {
        val frame = spark.sql(query)
        val before = section(frame)
        assert(before.contains("Spark alone: 5)"))
        assert(reasons.forall(before.contains))
        frame.collect()
        assert(explained(frame).contains("isFinalPlan=true"))
        assert(reasons.forall(section(frame).contains))
      }
    }
  }

  test("a plan without AQE, tagged at its root") {
    aqe(on = false) {
      val frame = spark.sql(groups)
      assert(section(frame) == "exchanges: 1, all by Spark alone")
      PlanReport.put(plan(frame), ExplainSession.report)
      assert(section(frame).startsWith("exchanges: 1 (planned 3; Spark alone: 5)"))
    }
  }

  test("a subquery's report is added to that of the query") {
    aqe(on = true) {
      assert(section(spark.sql("SELECT a FROM t WHERE b > (SELECT max(c) FROM t)"))
          .contains("Spark alone: 10)"))
    }
  }

  test("a report inside a write command is found") {
    spark.sql("CREATE TABLE written (a BIGINT, b BIGINT, n BIGINT) USING parquet")
    try {
      assert(section(spark.sql(s"INSERT INTO written $groups")).contains("Spark alone: 5)"))
      assert(section(spark.sql(s"EXPLAIN INSERT INTO written $groups")).nonEmpty)
    } finally spark.sql("DROP TABLE written")
  }

  test("a key that is none of ours but looks like one is named, with the nearest") {
    withConf("spark.colocate.exchange.mod" -> "off", "spark.colocate.exchange.mode" -> "off") {
      val lines = section(spark.sql(groups)).linesIterator.toSeq
      assert(lines.head == "not a setting: spark.colocate.exchange.mod; nearest: " +
        "spark.colocate.exchange.mode")
      assert(lines(1).startsWith("exchanges:") && lines.count(_.startsWith("not a setting")) == 1)
    }
    assert(section(spark.sql(groups)).startsWith("exchanges:"))
  }

  test("switched off there is no section, title and all") {
    withConf(ColocateConf.Enabled.key -> "false") {
      assert(!explained(spark.sql(groups)).contains("Extended Information"))
    }
    assert(section(spark.sql(groups)).contains("Spark alone: 5)"))
  }

  test("a query that was made before Colocate was switched off says so in one line") {
    val made = spark.sql(groups)
    withConf(ColocateConf.Enabled.key -> "false") {
      assert(section(made) == "switched off (spark.colocate.enabled is false)")
    }
  }

  test("the section alone can be switched off, title and all, and on again") {
    withConf(ColocateConf.ExplainEnabled.key -> "false") {
      val made = spark.sql(groups)
      assert(!explained(made).contains("Extended Information"))
      assert(!spark.sql(s"EXPLAIN $groups").head().getString(0).contains("Extended Information"))
      assert(made.collect().nonEmpty)
    }
    assert(section(spark.sql(groups)).contains("Spark alone: 5)"))
  }

  test("a query that was made before the section was switched off says why it has no report") {
    val made = spark.sql(groups)
    withConf(ColocateConf.ExplainEnabled.key -> "false") {
      assert(section(made) == "no report (spark.colocate.explain.enabled is false)")
    }
  }

  test("switching off in one session leaves the section of another") {
    val other = spark.newSession()
    other.conf.set(ColocateConf.ExplainEnabled.key, "false")
    assert(!explained(other.range(3).toDF()).contains("Extended Information"))
    assert(section(spark.sql(groups)).contains("Spark alone: 5)"))
  }

  test("a setting that is no setting is said, not thrown") {
    withConf(ColocateConf.Enabled.key -> "perhaps") {
      val text =
        new ColocateExplainProvider().generateExtendedInfo(spark.range(1).queryExecution.sparkPlan)
      assert(
        text.startsWith("no report: [COLOCATE_INVALID_CONF] spark.colocate.enabled is 'perhaps'"))
    }
  }

  test("explaining twice and running gives the same plan and the same rows") {
    val alone = spark.sql(join).collect().toSet
    val frame = spark.sql(join)
    assert(section(frame) == section(frame))
    val before = plan(frame).canonicalized
    section(frame)
    assert(plan(frame).canonicalized == before)
    assert(frame.collect().toSet == alone)
  }

  test("the section is there in the explain modes in which Spark asks providers") {
    Seq("", "EXTENDED", "FORMATTED").foreach { mode =>
      val text = spark.sql(s"EXPLAIN $mode $groups").head().getString(0)
      assert(text.contains("== Extended Information (Colocate) =="), mode)
    }
  }

  test("providers of others stay when the section is switched off and on") {
    val other = spark.newSession()
    other.conf.set(ColocateExplainProvider.Setting.key,
      s"org.example.Other,${ColocateExplainProvider.Setting.value}")
    other.conf.set(ColocateConf.ExplainEnabled.key, "false")
    other.sql("SELECT 1")
    assert(other.conf.get(ColocateExplainProvider.Setting.key) == "org.example.Other")
    other.conf.unset(ColocateConf.ExplainEnabled.key)
    other.sql("SELECT 1")
    assert(other.conf.get(
      ColocateExplainProvider.Setting.key) == s"org.example.Other,${ColocateExplainProvider.Setting.value}")
  }

  test("a switch that is no switch leaves the section, which says so") {
    withConf(ColocateConf.ExplainEnabled.key -> "perhaps") {
      assert(section(spark.range(1).toDF())
          .startsWith("no report: [COLOCATE_INVALID_CONF] spark.colocate.explain.enabled"))
    }
  }

  test("providers of others stay") {
    val other = spark.newSession()
    other.conf.set(ColocateExplainProvider.Setting.key, "org.example.Other")
    other.sql("SELECT 1")
    assert(other.conf.get(
      ColocateExplainProvider.Setting.key) == s"org.example.Other,${ColocateExplainProvider.Setting.value}")
    other.sql("SELECT 2")
    assert(other.conf.get(
      ColocateExplainProvider.Setting.key) == s"org.example.Other,${ColocateExplainProvider.Setting.value}")
  }
}
