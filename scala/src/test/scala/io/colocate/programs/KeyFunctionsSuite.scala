package io.colocate.programs

import io.colocate.report.ProgramReasons._
import io.colocate.testing.{Exchanges, RunConf, TestConf}

/** Layouts by functions of the keys that operators need. */
class KeyFunctionsSuite extends ProgramKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    for (table <- Seq("t1", "t2"))
      sql(s"CREATE TABLE $table (a INT, b INT, day DATE, x DOUBLE," +
        " name STRING COLLATE UTF8_LCASE) USING parquet")
  }

  private def by(key: String, from: String = "t1") =
    s"SELECT $key, count(*) FROM $from GROUP BY $key"

  private val settings = RunConf(colocate = true, adaptive = false).settings ++
    TestConf.noBroadcast ++ Seq("spark.colocate.exchange.mode" -> "aggressive")

  /** The shuffles of a query over frames that lie by fields of the tables. */
  private def shuffles(query: String)(layout: (String, String)*): Int = withConf(settings: _*) {
    for ((table, field) <- layout)
      sql(s"CACHE LAZY TABLE laid_$table AS SELECT * FROM $table DISTRIBUTE BY $field")
    val over = layout.map(_._1).foldLeft(query)((text, table) =>
      text.replaceAll(s"\\b$table\\b", s"laid_$table"))
    val count = Exchanges.count(sql(over).queryExecution.executedPlan)
    for ((table, _) <- layout) sql(s"DROP VIEW laid_$table")
    count
  }

  for (operation <- Seq("INTERSECT", "EXCEPT")) {
    test(s"$operation: what its join compares are functions of what it groups by") {
      possible(analysed(s"SELECT a, b FROM t1 $operation SELECT b, a FROM t2"))(
        Set("t1.coalesce(a, 0)=t2.coalesce(b, 0)", "t1.(a IS NULL)=t2.(b IS NULL)",
          "t1.coalesce(b, 0)=t2.coalesce(a, 0)", "t1.(b IS NULL)=t2.(a IS NULL)"))
      assert(!analysed(s"SELECT a FROM t1 $operation SELECT a FROM t2").serves(
          Map("spark_catalog.default.t1" -> Seq("a"), "spark_catalog.default.t2" -> Seq("a"))))
    }

    test(s"$operation over frames that lie by what its join compares, and over others") {
      val query = s"SELECT a, b FROM t1 $operation SELECT b, a FROM t2"
      assert(shuffles(query)("t1" -> "coalesce(a, 0)", "t2" -> "coalesce(b, 0)") == 0)
      assert(shuffles(query)("t1" -> "a", "t2" -> "b") > 0)
    }

    test(s"$operation of values that are equal and differ in bits has no answer") {
      for (column <- Seq("x", "name"))
        impossible(analysed(s"SELECT $column FROM t1 $operation SELECT $column FROM t2"))(
          NoCommonField)
    }
  }

  test("of a key and its function the function serves both") {
    possible(analysed(by("day"), by("month(day)")))(Set("t1.month(day)"))
    impossible(analysed(by("year(day)"), by("month(day)")))(NoCommonField)
  }

  test("a function of two keys serves a grouping by both, and none by one") {
    possible(analysed(by("a, b"), by("a + b")))(Set("t1.(a + b)"))
    impossible(analysed(by("a"), by("a + b")))(NoCommonField)
  }

  test("a function of floating-point keys is none") {
    impossible(analysed(by("x"), by("x * 2")))(NoCommonField)
    possible(analysed(by("a"), by("a * 2.5D")))(Set("t1.(CAST(a AS DOUBLE) * 2.5D)"))
  }

  test("a join takes its own keys alone, and they may be functions of another operator's") {
    val days = "SELECT t1.a FROM t1 JOIN t2 ON t1.day = t2.day"
    impossible(analysed(days, by("month(day)")))(NoCommonField)
    possible(analysed("SELECT t1.a FROM t1 JOIN t2 ON month(t1.day) = month(t2.day)", by("day")))(
      Set("t1.month(day)=t2.month(day)"))
  }

  test("a function is one for all branches of a union") {
    val both = "(SELECT day FROM t1 UNION ALL SELECT day FROM t2)"
    possible(analysed(by("day", both), by("month(day)")))(Set("t1.month(day)=t2.month(day)"))
    impossible(analysed(by("day", both), by("month(day)"), by("year(day)", "t2")))(NoCommonField)
  }

  test("a function of keys that are of two rows is none") {
    val join = "SELECT l.a, r.b FROM t1 l JOIN t1 r ON l.a + l.b = r.a + r.b"
    impossible(analysed(by("a, b", s"($join)")))(NoCommonField)
    val one = "SELECT l.a, l.b FROM t1 l JOIN t1 r ON l.a + l.b = r.a + r.b"
    possible(analysed(by("a, b", s"($one)")))(Set("t1.(a + b)"))
  }

  test("a function of a broadcast side's key is one of the other side's") {
    val join = "(SELECT /*+ BROADCAST(t2) */ t2.b AS k FROM t1 JOIN t2 ON t1.a = t2.b)"
    possible(analysed(by("k", join), by("a % 5")))(Set("t1.(a % 5)"))
    assert(shuffles(by("k", join))("t1" -> "a % 5") == 0)
    impossible(analysed(by("k", join), by("b % 5")))(NoCommonField)
    assert(shuffles(by("k", join))("t1" -> "b % 5") > 0)
  }

  for ((what, query) <- Seq(
      "grouping sets" -> "SELECT a, b, count(*) FROM t1 GROUP BY GROUPING SETS ((a, b), (a))",
      "several DISTINCT" -> "SELECT a, count(DISTINCT b), count(DISTINCT day) FROM t1 GROUP BY a",
      "fewer partitions" -> by("a", "(SELECT /*+ COALESCE(2) */ a FROM t1)"),
      "generated rows" -> by("a, v", "(SELECT a, explode(array(b, 1)) AS v FROM t1)"),
      "a window" -> "SELECT max(b) OVER (PARTITION BY a, day) FROM t1",
      "the first rows of each" ->
        "SELECT * FROM (SELECT a, rank() OVER (PARTITION BY a ORDER BY b) AS r FROM t1) WHERE r < 3"))
    test(s"a function of a key serves it through $what") {
      possible(analysed(query, by("a % 5")))(Set("t1.(a % 5)"))
      assert(shuffles(query)("t1" -> "a % 5") == 0)
      assert(shuffles(query)("t1" -> "b % 5") > 0)
    }

  test("the order of the queries does not matter") {
    for (order <- Seq(by("day"), by("month(day)"), by("day, a")).permutations)
      possible(analysed(order: _*))(Set("t1.month(day)"))
    for (order <- Seq(by("day"), by("month(day)"), by("a")).permutations)
      impossible(analysed(order: _*))(NoCommonField)
  }
}
