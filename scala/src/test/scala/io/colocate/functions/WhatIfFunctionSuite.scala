package io.colocate.functions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{AnalysisException, Row, SparkSession}

import io.colocate.testing.{ColocateTestSession, TestConf}

class WhatIfFunctionSuite extends AnyFunSuite with ColocateTestSession {

  override protected def sessionConf: Map[String, String] = TestConf.noBroadcast.toMap

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql(
      "CREATE TABLE o (`o.id` INT, t STRING, m MAP<INT, INT>, d INT) USING parquet PARTITIONED BY (d)")
    sql("CREATE TABLE i (o INT, n INT) USING parquet")
    sql("CREATE VIEW v AS SELECT o, count(*) AS n FROM i GROUP BY o")
    sql("CREATE TABLE robust USING colocate AS SELECT 1 AS a")
  }

  private val join = "SELECT * FROM o JOIN i ON `o.id` = o"

  private def rows(queries: String, proposals: String): Seq[Row] =
    spark.sql("SELECT * FROM colocate_what_if(:queries, :proposals)",
      Map[String, Any]("queries" -> queries, "proposals" -> proposals)).collect().toSeq

  private def layout(table: String, columns: String, buckets: String = "4"): String =
    s"""{"table": "$table", "columns": $columns, "buckets": $buckets}"""

  private def rejected(queries: String, proposals: String): String = {
    val error = intercept[AnalysisException](rows(queries, proposals))
    assert(error.getCondition == "COLOCATE_INVALID_ARGUMENT")
    assert(!error.getMessage.contains("\n"))
    error.getMessage
  }

  private def refused(layout: String): String = rejected("""["SELECT 1"]""", s"[[$layout]]")

  test("a row for each proposal and query, both counted from 0") {
    val both = Seq(layout("o", """["O.ID"]"""), layout("spark_catalog.default.i", """["o"]"""))
    val found = rows(s"""["$join", "SELECT 1"]""", s"[[], [${both.mkString(",")}], [${both.head}]]")
    assert(found.map(row => (row.getInt(0), row.getInt(1), row.getInt(2), row.getInt(3))) ==
      Seq((0, 0, 2, 2), (0, 1, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (2, 0, 1, 1), (2, 1, 0, 0)))
    assert(found.map(_.getDouble(4) > 0) == Seq(true, false, false, false, true, false))
    assert(rows("[]", "[[]]").isEmpty && rows(s"""["$join"]""", "[]").isEmpty)
  }

  test("calls of one advice optimise a query once, in one session") {
    def shufflesIn(session: SparkSession)(advice: String): Int = {
      val call = s"""colocate_what_if('["SELECT * FROM kept"]', '[[]]'$advice)"""
      session.sql(s"SELECT stock FROM $call").head().getInt(0)
    }
    val shuffles = shufflesIn(spark) _
    sql("CREATE VIEW kept AS SELECT o, count(*) AS n FROM i GROUP BY o")
    assert(Seq(", 'one'", ", 'one'", "").map(shuffles) == Seq(1, 1, 1))
    sql("ALTER VIEW kept AS SELECT * FROM i")
    assert(Seq(", 'one'", ", 'another'", "").map(shuffles) == Seq(1, 0, 0))
    val other = spark.newSession()
    other.withActive(assert(shufflesIn(other)(", 'one'") == 0))
  }

  test("nothing is written in the catalogue") {
    rows(s"""["$join"]""", s"[[${layout("i", """["o"]""")}]]")
    assert(spark.sessionState.catalog.getTableMetadata(
        spark.sessionState.sqlParser.parseTableIdentifier("i")).bucketSpec.isEmpty)
  }

  test("a query that cannot be planned is named by its place") {
    assert(rejected("""["SELECT 1", "SELEC 1"]""", "[]").startsWith(
        "[COLOCATE_INVALID_ARGUMENT] colocate_what_if: queries[1] is 'SELEC 1'; accepted: a query that" +
          " Spark can read; it says: [PARSE_SYNTAX_ERROR]"))
    assert(rejected("""["SELECT * FROM nowhere"]""", "[]").contains("[TABLE_OR_VIEW_NOT_FOUND]"))
    assert(rejected("""["DROP TABLE i"]""", "[]").endsWith(
        "accepted: a query that Spark can read."))
    assert(rejected("""["SET a = 1"]""", "[]").contains("queries[0] is 'SET a = 1'"))
    assert(rejected("[SELECT 1", "[]").contains("accepted: a JSON array of query texts"))
    assert(spark.catalog.tableExists("i"))
  }

  test("a layout that no table can have") {
    assert(refused(layout("nowhere", """["a"]""")).contains(
        "proposals[0][0].table is \"nowhere\"; accepted: the name of a table of files"))
    Seq("v", "robust", "a b c", "").foreach(table =>
      assert(refused(layout(table, """["a"]""")).contains("proposals[0][0].table")))
    Seq("""["z"]""", "[]", """["o", "o"]""", "\"o\"", "[1]", "null").foreach(columns =>
      assert(refused(layout("i", columns)).contains("proposals[0][0].columns is ") &&
        refused(layout("i", columns)).endsWith("accepted: one or more of o, n, each once.")))
    Seq("d", "m").foreach(column =>
      assert(refused(layout("o", s"""["$column"]""")).endsWith(
          "one or more of o.id, t, each once.")))
    Seq("0", "-1", "100001", "1.5", "\"4\"").foreach(buckets =>
      assert(refused(layout("i", """["o"]""", buckets)).endsWith(
          s".buckets is $buckets; accepted: a whole number from 1 to 100000.")))
  }

  test("proposals that are none") {
    val one = layout("i", """["o"]""")
    assert(rejected("[]", "?").contains("proposals is '?'; accepted: a JSON array such as [[{"))
    assert(rejected("[]", s"[$one]").contains("proposals[0] is {"))
    assert(rejected("[]", s"[[$one, ${layout("default.i", """["n"]""")}]]")
        .endsWith("accepted: one layout for each table."))
    assert(refused("""{"table": "i", "columns": ["o"]}""").contains("proposals[0][0] is {"))
    assert(refused("3").contains("proposals[0][0] is 3"))
  }
}
