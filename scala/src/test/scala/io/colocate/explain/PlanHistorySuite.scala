package io.colocate.explain

import java.lang.ref.SoftReference
import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import io.colocate.rule.ColocateConf

class PlanHistorySuite extends ExplainSession {

  private def last(n: Int = 1): Seq[PlanRecord] = PlanHistory.recent(spark, n)

  test("a finished query is there at once, with its final plan") {
    aqe(on = true) {
      spark.sql(groups).collect()
      val Seq(record) = last()
      assert(record.description == groups)
      assert(record.exchanges == 3 && record.stockExchanges == 5)
      assert(record.report.contains("\n\nplan:\n"))
      assert(record.report.contains("AQEShuffleRead"))
      assert(record.report.contains("* Exchange hashpartitioning(a, b, "))
    }
  }

  test("without AQE the plan is the final one") {
    aqe(on = false) {
      spark.sql(groups).collect()
      assert(last().head.report.contains("\n\nplan:\n"))
    }
  }

  test("a query that fails while it runs leaves the plan it had") {
    aqe(on = true) {
      val failing = "SELECT a, sum(1 div (id - 500)) FROM t GROUP BY a"
      intercept[Exception](spark.sql(failing).collect())
      val Seq(record) = last()
      assert(record.description == failing)
      assert(record.report.contains("plan as it last was:"))
      assert(record.report.contains("* Exchange hashpartitioning(a, "))
    }
  }

  test("where memory ran short, only the plan of a query that failed is lost") {
    aqe(on = true) {
      val failing = "SELECT a, sum(1 div (id - 501)) FROM t GROUP BY a"
      intercept[Exception](spark.sql(failing).collect())
      assert(takeBackPlans() == 1)
      val Seq(record) = last()
      assert(record.description == failing)
      assert(record.report.contains("given up when memory ran short"))
    }
  }

  /** Clears what this session holds softly, as the collector does, and tells how much that was. */
  private def takeBackPlans(): Int = {
    val field = PlanHistory.getClass.getDeclaredField("sessions")
    field.setAccessible(true)
    val sessions = field.get(PlanHistory).asInstanceOf[JMap[_, JMap[_, Product]]]
    val held = for {
      entries <- Option(sessions.get(spark)).toSeq
      entry <- entries.values.asScala.toSeq
      plan <- entry.productIterator.collect { case plan: SoftReference[_] => plan }
    } yield plan
    held.foreach(_.clear())
    held.size
  }

  test("a query that failed is written down by the next one too") {
    aqe(on = true) {
      val failing = "SELECT b, sum(1 div (id - 500)) FROM t GROUP BY b"
      intercept[Exception](spark.sql(failing).collect())
      spark.sql("SELECT count(*) FROM t").collect()
      assert(last(2).map(_.description) == Seq("SELECT count(*) FROM t", failing))
    }
  }

  test("colocate_last_plan answers newest first, and is not an answer itself") {
    spark.sql("SELECT a, count(*) FROM t GROUP BY a").collect()
    spark.sql("SELECT b, count(*) FROM t GROUP BY b").collect()
    (1 to 2).foreach { _ =>
      val rows = spark
        .sql("SELECT description, exchanges, stock_exchanges, execution_id" +
          " FROM colocate_last_plan(2) ORDER BY execution_id DESC")
        .collect()
      assert(rows.map(_.getString(0)).toSeq ==
        Seq("SELECT b, count(*) FROM t GROUP BY b", "SELECT a, count(*) FROM t GROUP BY a"))
    }
    spark.sql(s"SELECT * FROM colocate_explain('$groups')").collect()
    assert(spark
        .sql("SELECT description FROM colocate_last_plan()")
        .head()
        .getString(0)
        .startsWith("SELECT b"))
  }

  test("explaining and planning is not running") {
    spark.sql("SELECT c, count(*) FROM t GROUP BY c").collect()
    val before = last(1000)
    spark.sql(groups).explain()
    spark.sql(s"EXPLAIN FORMATTED $groups").collect()
    spark.sql("SET spark.sql.shuffle.partitions").collect()
    assert(last(1000).map(_.executionId) == before.map(_.executionId))
    assert(last() == before.take(1))
  }

  test("a write is remembered, with the query in it") {
    spark.sql("CREATE TABLE kept (a BIGINT, b BIGINT, n BIGINT) USING parquet")
    try {
      spark.sql(s"INSERT INTO kept $groups")
      assert(last().head.report.contains("Exchange hashpartitioning(a, b, "))
    } finally spark.sql("DROP TABLE kept")
  }

  test("no more than the setting, the oldest goes") {
    withConf(ColocateConf.ExplainHistory.key -> "3") {
      (1 to 5).foreach(i => spark.sql(s"SELECT count(*) + $i FROM t").collect())
      assert(last(1000).map(_.description) ==
        Seq(5, 4, 3).map(i => s"SELECT count(*) + $i FROM t"))
    }
    withConf(ColocateConf.ExplainHistory.key -> "0") {
      spark.sql("SELECT 'unheard of' FROM t").collect()
      assert(!last(1000).exists(_.description.contains("unheard")))
    }
  }

  test("a session does not see the queries of another one") {
    spark.sql("SELECT count(*) AS mine FROM t").collect()
    val other = spark.newSession()
    assert(PlanHistory.recent(other, 10).isEmpty)
    other.sql("SELECT count(*) AS other FROM range(5)").collect()
    assert(PlanHistory.recent(other, 10).size == 1)
    assert(last().head.description.contains("mine"))
  }

  test("nothing is remembered while switched off") {
    spark.sql("SELECT count(*) AS before FROM t").collect()
    withConf(ColocateConf.Enabled.key -> "false") {
      spark.sql("SELECT count(*) AS during FROM t").collect()
    }
    assert(last().head.description.contains("before"))
  }

  test("the description: the job's, else the text, else the operators; secrets are hidden") {
    spark.sparkContext.setJobDescription("nightly totals")
    try spark.table("t").groupBy("a").count().collect()
    finally spark.sparkContext.setJobDescription(null)
    assert(last().head.description == "nightly totals")
    spark.range(10).groupBy("id").count().collect()
    assert(last().head.description.startsWith("DataFrame: Aggregate < Range"))
    withConf("spark.sql.redaction.string.regex" -> "secret\\w+") {
      spark.sql("SELECT 'secretword' AS s, count(*) FROM t GROUP BY 1").collect()
    }
    assert(!last().head.description.contains("secretword"))
    assert(!last().head.report.contains("secretword"))
  }
}
