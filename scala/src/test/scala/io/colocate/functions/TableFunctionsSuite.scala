package io.colocate.functions

import org.apache.spark.sql.AnalysisException

import io.colocate.explain.ExplainSession
import io.colocate.explain.view.Json
import io.colocate.rule.ColocateConf

class TableFunctionsSuite extends ExplainSession {

  private def report(arguments: String): String =
    spark.sql(s"SELECT report FROM colocate_explain($arguments)").head().getString(0)

  private def rejected(query: String): String = {
    val error = intercept[AnalysisException](spark.sql(query).collect())
    assert(error.getCondition == "COLOCATE_INVALID_ARGUMENT")
    error.getMessage
  }

  test("colocate_explain: one row, one column, three formats") {
    val frame = spark.sql(s"SELECT * FROM colocate_explain('$groups')")
    assert(frame.columns.toSeq == Seq("report") && frame.count() == 1)
    assert(report(s"'$groups'") == report(s"'$groups', 'text'"))
    assert(report(s"'$groups', 'HTML'").startsWith("<div class=\"colocate\">"))
    assert(report(s"'$groups', 'mermaid'").contains("flowchart BT"))
    assert(report(s"format => 'mermaid', query => '$groups'").contains("flowchart BT"))
    assert(report(s"concat('SELECT ', '1'), NULL").startsWith("exchanges: 0"))
  }

  test("all columns are in snake case, but the two that were not and are kept for a while") {
    val others =
      TableFunctions.functions.flatMap(_.schema.fieldNames).filterNot(_.matches("[a-z_]+"))
    assert(others == Seq("unroutedFiles", "mostLeafRows"))
  }

  test("colocate_explain: a query given as a parameter needs no quoting") {
    val args = Map[String, Any]("q" -> "SELECT 'it''s' AS s, count(*) FROM t GROUP BY 1")
    val text = spark.sql("SELECT * FROM colocate_explain(:q)", args).head().getString(0)
    assert(text.contains("Spark alone: 1"))
  }

  test("colocate_explain sees temporary views, and runs nothing") {
    spark.sql(groups).createOrReplaceTempView("grouped")
    assert(report("'TABLE grouped'").contains("hashpartitioning(a, b, "))
    report("'CREATE TABLE never_made USING parquet AS SELECT 1 AS x'")
    assert(!spark.catalog.tableExists("never_made"))
  }

  test("colocate_explain inside a larger query, and twice") {
    val query = s"SELECT length(x.report) > 10 FROM colocate_explain('$groups') x" +
      s" JOIN colocate_explain('$groups') y ON x.report = y.report"
    assert(spark.sql(query).head().getBoolean(0))
  }

  test("wrong arguments are named, with what is accepted") {
    assert(rejected(s"SELECT * FROM colocate_explain('$groups', 'pdf')").startsWith(
        "[COLOCATE_INVALID_ARGUMENT] colocate_explain: format is 'pdf'; accepted: text, html, mermaid."))
    assert(rejected("SELECT * FROM colocate_explain()").contains("query is missing"))
    assert(rejected("SELECT * FROM colocate_explain('')").contains("query is ''"))
    assert(rejected("SELECT * FROM colocate_explain(NULL)").contains("query is missing"))
    assert(rejected("SELECT * FROM colocate_explain(query => 'x', query => 'y')")
        .contains("query is given twice"))
    assert(
      rejected("SELECT * FROM colocate_explain(sql => 'x')").contains("accepted: query, format"))
    assert(rejected("SELECT * FROM colocate_explain('x', 'text', 3)").contains("at most 2"))
    assert(rejected("SELECT * FROM colocate_version(1)").contains("at most 0"))
    assert(
      rejected("SELECT * FROM colocate_explain(cast(rand() AS STRING))").contains("a constant"))
    assert(rejected("SELECT * FROM colocate_why_not('SELECT 1', 'magic')").contains("'magic'"))
    assert(rejected("SELECT * FROM colocate_last_plan(0)")
        .contains("n is '0'; accepted: a whole number from 1."))
    assert(rejected("SELECT * FROM colocate_last_plan('many')").contains("n is 'many'"))
  }

  test("a query that does not parse or analyse gives Spark's own error") {
    assert(intercept[AnalysisException](report("'SELEC 1'")).getCondition == "PARSE_SYNTAX_ERROR")
    assert(intercept[AnalysisException](report("'SELECT * FROM nowhere'")).getCondition ==
      "TABLE_OR_VIEW_NOT_FOUND")
    assert(intercept[AnalysisException](
        spark.sql("SELECT * FROM colocate_why_not('SELECT z FROM t')")).getCondition
        .startsWith("UNRESOLVED_COLUMN"))
  }

  test("colocate_why_not: the declines, as data") {
    val rows = spark.sql(s"SELECT * FROM colocate_why_not('$groups')").collect()
    assert(rows.map(_.toSeq).toSeq == Seq(Seq("exchange", "HashAggregate", "UNKNOWN_SIZE",
      "(c) of (c, d) would do, but neither size nor distinct values are known",
      """{"keys":"c","required":"c, d"}""")))
    assert(spark.sql(s"SELECT * FROM colocate_why_not('$groups', 'exchange')").count() == 1)
  }

  test("colocate_why_not: nothing was declined, or all is switched off") {
    withConf("spark.sql.adaptive.enabled" -> "false") {
      assert(spark.sql("SELECT * FROM colocate_why_not('SELECT 1')").isEmpty)
    }
    for (switch <- Seq(ColocateConf.Enabled, ColocateConf.ExchangeEnabled))
      withConf(switch.key -> "false") {
        val row = spark.sql(s"SELECT code, arguments FROM colocate_why_not('$groups')").head()
        assert(row.getString(0) == "SWITCHED_OFF")
        assert(row.getString(1) == s"""{"key":"${switch.key}","value":"false"}""")
      }
  }

  test("colocate_version") {
    val row = spark.sql("SELECT version, spark, enabled FROM colocate_version()").head()
    assert(row.getString(0).matches("""\d+\.\d+\.\d+.*"""))
    assert(row.getString(1) == spark.version)
    assert(row.getBoolean(2))
    withConf(ColocateConf.Enabled.key -> "false") {
      assert(!spark.sql("SELECT enabled FROM colocate_version()").head().getBoolean(0))
    }
  }

  test("they can be described") {
    assert(
      spark.sql("DESCRIBE FUNCTION colocate_explain").collect().mkString.contains("side by side"))
  }

  test("JSON is escaped") {
    assert(Json.of(Seq("a\"b" -> "x\\y\n\u0001")) == "{\"a\\\"b\":\"x\\\\y\\n\\u0001\"}")
    assert(Json.of(Nil) == "{}")
  }
}
