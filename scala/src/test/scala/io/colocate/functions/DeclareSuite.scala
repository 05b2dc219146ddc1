package io.colocate.functions

import org.apache.spark.sql.{AnalysisException, Row}

import io.colocate.tables.sql.TableSession

/** Declarations by SQL: made, taken back, listed and checked. */
class DeclareSuite extends TableSession {

  private val rows =
    "VALUES (1, 1, 'x'), (2, 1, 'x'), (3, 2, NULL), (4, 2, 'y'), (NULL, 3, 'x'), (NULL, 4, 'x') AS t(a, b, c)"

  private def table(name: String, using: String = "parquet"): Unit =
    sql(s"CREATE TABLE $name USING $using AS SELECT * FROM $rows")

  private def declare(table: String, what: String, rely: Boolean = false): Seq[Row] =
    sql(s"SELECT * FROM colocate_declare('$table', '$what', $rely)").collect().toSeq

  private def declared(table: String): Seq[String] =
    sql(s"SELECT declaration FROM colocate_declared('$table')").collect().map(_.getString(0)).toSeq

  private def failing(query: String): AnalysisException =
    intercept[AnalysisException](sql(query).collect())

  private def violated(query: String): String = {
    val text = query.replace("'", "''")
    val error = failing(s"SELECT * FROM colocate_check_dependencies('$text')")
    assert(error.getCondition == "COLOCATE_DEPENDENCY_VIOLATED")
    error.getMessage
  }

  test("what is only explained is not declared") {
    table("explained")
    sql("SELECT * FROM colocate_declare('explained', 'key b')").queryExecution.executedPlan
    sql("EXPLAIN SELECT * FROM colocate_declare('explained', 'key b')").collect()
    assert(declared("explained").isEmpty)
  }

  for ((text, expected) <- Seq("key b" -> "key (b)", "KEY(a, b)" -> "key (a, b)",
      " unique  `a` " -> "unique (a)", "a -> b" -> "(a) -> (b)",
      "(A, `b`)->(c)" -> "(a, b) -> (c)"))
    test(s"the text '$text'") {
      sql("DROP TABLE IF EXISTS written")
      table("written")
      declare("written", text)
      assert(declared("written") == Seq(expected))
    }

  for (text <- Seq("a", "key", "key ,", "-> a", "a ->", "a -> b -> c", "primary key a", "key a.b",
      "key a b"))
    test(s"the text '$text' is no declaration") {
      sql("CREATE TABLE IF NOT EXISTS unwritten (a INT, b INT, c INT) USING parquet")
      val error = failing(s"SELECT * FROM colocate_declare('unwritten', '$text')")
      assert(error.getCondition == "COLOCATE_INVALID_ARGUMENT")
      assert(error.getMessage.contains(s"declaration is '$text'; accepted: 'key a, b'"))
    }

  test("odd names of columns") {
    sql("CREATE TABLE odd (`key` INT, `a, b` INT, `x->y` INT, `b``t` INT) USING parquet")
    declare("odd", "`key` -> `a, b`, `x->y`")
    declare("odd", "key -> `b``t`")
    declare("odd", "key key, `a, b`")
    assert(declared("odd") == Seq("(key) -> (a, b, x->y)", "(key) -> (b`t)", "key (key, a, b)"))
    assert(sql("SELECT * FROM colocate_undeclare('odd', '`key` -> `a, b`, `x->y`')").count() == 1)
    assert(declared("odd").length == 2)
  }

  test("an argument that is wrong") {
    table("given_")
    def message(arguments: String) =
      failing(s"SELECT * FROM colocate_declare($arguments)").getMessage
    assert(
      message("'given_', 'key b', 'perhaps'").contains("rely is 'perhaps'; accepted: true, false."))
    assert(message("'given_', 'key gone'").contains("columns among a, b, c, and not 'gone'"))
    assert(message("'', 'key b'").contains("table is ''; accepted: the name of a table"))
    assert(
      message("'no-name', 'key b'").contains("table is 'no-name'; accepted: the name of a table"))
    sql("CREATE TABLE maps (a INT, m MAP<INT, INT>) USING parquet")
    assert(message("'maps', 'a -> m'").contains("not 'm' of type MAP<INT, INT>"))
    sql("CREATE OR REPLACE TEMP VIEW made AS SELECT * FROM VALUES (1) AS t(a)")
    assert(message("'made', 'key a'").contains("table is 'made'; accepted"))
  }

  test("a property that cannot be read is an error where it is asked for, and a reason in a plan") {
    sql(
      s"CREATE TABLE unread USING parquet TBLPROPERTIES ('colocate.dependencies' = '[7]') AS SELECT * FROM $rows")
    assert(failing("SELECT * FROM colocate_declared('unread')").getCondition ==
      "COLOCATE_DECLARATIONS_UNREADABLE")
    assert(failing("SELECT * FROM colocate_declare('unread', 'key b')").getCondition ==
      "COLOCATE_DECLARATIONS_UNREADABLE")
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1") {
      val query = "SELECT x.b, count(*) FROM unread x JOIN unread y ON x.a = y.a GROUP BY x.b"
      val reasons = sql(s"SELECT code, message FROM colocate_why_not('$query')").collect()
      assert(
        reasons.exists(row =>
          row.getString(0) == "DECLARATIONS_UNREADABLE" &&
            row.getString(1).contains("of spark_catalog.default.unread is '[7]'")),
        reasons.mkString)
    }
  }

  test("a declaration for which the table has no column any more is listed as unused") {
    sql("CREATE TABLE dropped USING parquet TBLPROPERTIES ('colocate.dependencies' = " +
      s"""'[{"key": ["gone"], "rely": true}]') AS SELECT * FROM $rows""")
    assert(sql("SELECT unused FROM colocate_declared('dropped')").head().getString(0) ==
      "the table has no column 'gone'")
    assert(sql("SELECT * FROM colocate_check_dependencies('SELECT * FROM dropped')").count() == 1)
  }

  test("NULL is a value of a dependency and of no key, and exempt from a unique one") {
    table("nulls")
    declare("nulls", "b -> c")
    assert(violated("SELECT * FROM nulls").contains("where b is 2, c is NULL and 'y'"))
    sql("SELECT * FROM colocate_undeclare('nulls')").collect()
    declare("nulls", "a -> b")
    assert(violated("SELECT * FROM nulls").contains("where a is NULL, b is 3 and 4"))
    sql("SELECT * FROM colocate_undeclare('nulls')").collect()
    declare("nulls", "key a")
    assert(violated("SELECT b FROM nulls WHERE b = 1").contains(
        "key (a) of spark_catalog.default.nulls"))
    sql("SELECT * FROM colocate_undeclare('nulls')").collect()
    declare("nulls", "unique a")
    declare("nulls", "a, b -> c")
    assert(sql("SELECT * FROM colocate_check_dependencies('SELECT * FROM nulls')").count() == 2)
  }

  test(
    "a check finds tables in subqueries and behind a cache, and does not rely on what it checks") {
    sql(
      s"CREATE TABLE buckets USING parquet CLUSTERED BY (b) INTO 4 BUCKETS AS SELECT * FROM $rows")
    declare("buckets", "c -> b", rely = true)
    assert(
      violated("SELECT 1 WHERE 1 IN (SELECT b FROM buckets)").contains("c is 'x', b is 1 and 4"))
    sql("CACHE TABLE buckets")
    assert(violated("SELECT * FROM buckets").contains("c is 'x'"))
    sql("UNCACHE TABLE buckets")
  }

  test("a query is checked before it relies on a declaration, by all rows of its version") {
    for (using <- Seq("parquet", "colocate")) {
      val name = s"checked_$using"
      table(name, using)
      table(s"other_$using")
      declare(name, "c -> b")
      def query(by: String) = sql(s"SELECT x.$by, count(*) AS n FROM $name x JOIN other_$using y " +
        s"ON x.b = y.b WHERE x.a <= 2 GROUP BY x.$by ORDER BY x.$by").collect().toSeq
      for (adaptive <- Seq("true", "false"))
        withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1",
          "spark.sql.adaptive.enabled" -> adaptive, "spark.colocate.exchange.gather" -> "false") {
          // The rows that this query reads are as declared, others are not.
          assert(query("c") == Seq(Row("x", 4)))
          withConf("spark.colocate.dependencies.check" -> "true") {
            val error = intercept[Exception](query("c"))
            assert(Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null)
                .exists(_.getMessage.contains("[COLOCATE_DEPENDENCY_VIOLATED] (c) -> (b)")), error)
          }
        }
      sql(s"SELECT * FROM colocate_undeclare('$name')").collect()
      declare(name, "unique a")
      withConf("spark.colocate.dependencies.check" -> "true") {
        assert(query("a") == Seq(Row(1, 2), Row(2, 2)))
      }
    }
  }
}
