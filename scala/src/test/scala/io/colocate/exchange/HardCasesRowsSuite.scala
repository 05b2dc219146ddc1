package io.colocate.exchange

import org.apache.spark.sql.execution.SortExec
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.execution.window.WindowGroupLimitExec

import io.colocate.report.{ExchangeReasons, ReasonCode}
import io.colocate.testing.{EveryThird, Executed, Failed, FourRuns, Nightly, Reports, TestTables}

/**
 * Hard cases of the research (1-cohash.md, section 7) in which a wrong partitioning would change rows:
 * outer joins, swapped and doubled keys, unions, mixed widths, distinct aggregates, windows. The
 * number in a test's name is the research's.
 *
 * {{{
 *   build/sbt "scala/testOnly *HardCasesRowsSuite"
 * }}}
 */
class HardCasesRowsSuite extends FourRuns with EveryThird {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    sql("CREATE TABLE widths (i SMALLINT, a INT, k BIGINT, m DECIMAL(10,2), n DECIMAL(18,2), " +
      "f FLOAT, x DOUBLE, b INT) USING parquet")
    sql("INSERT INTO widths SELECT v, v, v, v, v, v, v, v % 3 FROM VALUES " +
      "(0), (-1), (1), (-7), (7), (127), (-128), (255), (1000), (-1000), (32767), (-32768), (NULL), " +
      "(1), (7), (-7) AS t(v)")
    sql("CREATE TABLE extremes USING parquet AS SELECT try_cast(v AS INT) AS a, v AS k, " +
      "CAST(v AS DECIMAL(20,0)) AS m, CAST(v AS DOUBLE) AS x, CAST(pmod(v, 2) AS INT) AS b " +
      s"FROM VALUES ${extremes.map(v => s"(${v}L)").mkString(", ")}, (NULL) AS t(v)")
  }

  /** The ends of INT and BIGINT, each twice, with what is next to them. */
  private def extremes: Seq[Long] = {
    val ends = Seq(Int.MinValue.toLong, Int.MaxValue.toLong, Long.MinValue, Long.MaxValue)
    val besides = Seq(Int.MinValue - 1L, Int.MaxValue + 1L, Long.MinValue + 1, Long.MaxValue - 1)
    ends ++ ends ++ besides ++ Seq(0L, -1L)
  }

  private val someRight = "(SELECT * FROM t2 WHERE a < 5)"

  test("3: left join, group by the right key; rows without a match are in every partition") {
    assertShuffles(
      fourSql(s"SELECT y.a, count(*) AS n, sum(t1.d) AS d FROM t1 LEFT JOIN $someRight y " +
        "ON t1.a = y.a GROUP BY y.a"), stock = 3, ours = 3)
  }

  test("3: left join, then an inner join on the right key, then group by it") {
    assertSomeRows(
      fourSql(s"SELECT y.a, count(*) AS n FROM t1 LEFT JOIN $someRight y ON t1.a = y.a " +
        "JOIN t3 ON y.a = t3.a GROUP BY y.a"))
    assertSomeRows(fourSql(s"SELECT y.a, y.b, t3.d FROM t1 LEFT JOIN $someRight y " +
        "ON t1.a = y.a AND t1.b = y.b JOIN t3 ON y.a = t3.a"))
  }

  test("3: full outer joins, then group by either side and by the common key") {
    val chain =
      "FROM (SELECT * FROM t1 WHERE a > 3) x FULL OUTER JOIN (SELECT * FROM t2 WHERE a < 15) y " +
        "ON x.a = y.a AND x.b = y.b"
    for (key <- Seq("x.a", "y.a"))
      assertShuffles(fourSql(s"SELECT $key AS g, count(*) AS n $chain GROUP BY $key"), 3, 3)
    assertSomeRows(fourSql(s"SELECT coalesce(x.a, y.a) AS g, count(*) AS n $chain GROUP BY g"))
  }

  test("5: a CTE used twice keeps one shuffle, and its reuse") {
    val runs = fourSql("""WITH sums AS (SELECT a, b, sum(d) AS sd FROM t1 GROUP BY a, b)
      SELECT sums.a, sums.b, sums.sd FROM (SELECT a, max(sd) AS m FROM sums GROUP BY a) top
      JOIN sums ON top.a = sums.a AND top.m = sums.sd""")
    assertShuffles(runs, stock = 4, ours = 1)
    for (run <- runs.own)
      assert(nodes(run) { case r: ReusedExchangeExec => r }.size == 1, planText(run))
  }

  test("5: a shared shuffle is not given up where that saves none") {
    val names = "SELECT id AS k, string(id) AS s1, string(id) AS s2, string(id) AS s3 FROM range(7)"
    val runs = fourSql(s"""
      WITH sums AS (SELECT id % 100 AS a, id % 7 AS b, sum(id) AS s FROM range(2000000) GROUP BY 1, 2)
      SELECT /*+ BROADCAST(v) */ v.*, x.a, x.s, z.s AS s2, z.t
      FROM sums x JOIN ($names) v ON x.b = v.k
      JOIN (SELECT /*+ BROADCAST(w) */ y.*, w.s1 AS t FROM sums y JOIN ($names) w ON y.b = w.k) z
      ON x.a = z.a + 1""")
    assertShuffles(runs, stock = 3, ours = 3)
    for (run <- runs.own)
      assert(nodes(run) { case r: ReusedExchangeExec => r }.size == 1, planText(run))
  }

  // Each use of the CTE needs it by a, so without its shared shuffle the sums are made twice.
  private def sharedSums(rows: Long): String = s"""
    WITH sums AS (SELECT id % 5000 AS a, id % 300 AS b, sum(id) AS s FROM range($rows) GROUP BY 1, 2)
    SELECT t1.a, t1.d FROM t1 WHERE a IN (SELECT a FROM sums WHERE s > 1)
    UNION ALL SELECT t2.a, t2.d FROM t2 WHERE b IN (SELECT a FROM sums WHERE s > 1)"""

  test("5: a shared shuffle goes where little is computed twice for it") {
    val runs = fourSql(sharedSums(rows = 20000))
    assertShuffles(runs, stock = 4, ours = 3)
    assertSomeRows(runs)
  }

  test("5: a shared shuffle stays where much would be computed twice") {
    val runs = fourSql(sharedSums(rows = 1500000))
    assertShuffles(runs, stock = 4, ours = 4)
    assertSomeRows(runs)
  }

  test("6: self join on swapped columns") {
    assertSomeRows(
      fourSql("SELECT x.a, count(*) AS n FROM t1 x JOIN t1 y ON x.a = y.b GROUP BY x.a"))
    assertSomeRows(fourSql(
        "SELECT x.a, x.b, count(*) AS n FROM t1 x JOIN t1 y ON x.a = y.b AND x.b = y.a GROUP BY x.a, x.b"))
    assertSomeRows(fourSql("SELECT y.a, count(*) AS n FROM t1 x JOIN t1 y " +
        "ON x.a = y.b AND x.b = y.a JOIN t2 z ON z.a = x.b AND z.b = x.a GROUP BY y.a"))
  }

  test("6: one column joined with two") {
    assertSomeRows(fourSql(
        "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.a = t2.b GROUP BY t1.a"))
    assertSomeRows(fourSql("SELECT t2.b, count(*) AS n FROM t1 LEFT JOIN t2 " +
        "ON t1.a = t2.a AND t1.a = t2.b GROUP BY t2.b"))
    assertSomeRows(
      fourSql("SELECT t1.a, t1.b, t3.d FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.a " +
        "JOIN t3 ON t1.b = t3.a AND t1.c = t3.c"))
  }

  test("7: unions of which one branch is laid out otherwise") {
    val other = Map(
      "aligned on another position" -> "SELECT b AS a, n FROM (SELECT a, b, count(*) n FROM t2 GROUP BY a, b)",
      "permuted" -> "SELECT CAST(n AS INT) AS a, CAST(a AS BIGINT) AS n FROM (SELECT a, count(*) n FROM t2 GROUP BY a)",
      "cast" -> "SELECT k AS a, count(*) AS n FROM t2 GROUP BY k",
      "empty" -> "SELECT a, count(*) AS n FROM t2 WHERE a > 1000 GROUP BY a",
      "no rows at all" -> "SELECT CAST(1 AS INT) AS a, 1L AS n FROM t2 WHERE false",
      "one partition" -> "SELECT a, 1L AS n FROM (SELECT a, b FROM t2 ORDER BY a, b LIMIT 7)",
      "one row" -> "SELECT CAST(max(a) AS INT) AS a, count(*) AS n FROM t2")
    for ((what, branch) <- other) withClue(what) {
      assertSomeRows(fourSql(s"""SELECT a, sum(n) AS n, count(*) AS c FROM (
        SELECT a, n FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) UNION ALL $branch)
        GROUP BY a"""))
    }
  }

  test("7: nested unions") {
    assertSomeRows(fourSql("""SELECT a, max(n) AS n, count(*) AS c FROM (
      SELECT a, n FROM (
        SELECT a, count(*) AS n FROM t1 GROUP BY a, b
        UNION ALL SELECT t2.a, 1L AS n FROM t2 JOIN t3 ON t2.a = t3.a AND t2.b = t3.b)
      UNION ALL SELECT t3.a, count(*) OVER (PARTITION BY t3.a, t3.c) AS n FROM t3)
      GROUP BY a"""))
  }

  test("7: a union joined with an aggregate") {
    assertSomeRows(fourSql("""SELECT u.a, u.n, g.m FROM (
      SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b UNION ALL SELECT a, b, d AS n FROM t2) u
      JOIN (SELECT a, max(d) AS m FROM t3 GROUP BY a) g ON u.a = g.a"""))
  }

  private val caseBlind = "(SELECT s COLLATE UTF8_LCASE AS s FROM t1)"
  private val windowed = s"(SELECT s, count(*) OVER (PARTITION BY s) AS n FROM $caseBlind)"

  // lower and upper of equal texts are equal, which nothing here proves; ascii tells K from k.
  test("8: group by a case-blind text, then by lower, upper or ascii of it, must shuffle") {
    for (f <- Seq("lower", "upper", "ascii"))
      withClue(f) {
        assertShuffles(fourSql(s"SELECT $f(s) AS g, sum(n) AS n FROM $windowed GROUP BY $f(s)"),
          stock = 2, ours = 2)
      }
  }

  test("8: group by the case-blind text itself is served by its partitioning") {
    assertShuffles(fourSql(s"SELECT sum(n) AS n FROM $windowed GROUP BY s"), stock = 1, ours = 1)
  }

  test("9: 0.0 and -0.0 are one group, and their inverses two") {
    // 1 / 0.0 is no infinity in Spark but an error, or NULL; pow(0.0, -1) is one, with a sign.
    val inverse = "SELECT x, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY INVERSE) GROUP BY x"
    assertShuffles(fourSql(inverse.replace("INVERSE", "pow(x, -1)")), stock = 2, ours = 2)
    assert(failed(inverse.replace("INVERSE", "1 / x")))
    assertShuffles(fourSql(inverse.replace("INVERSE", "1 / x"),
      "spark.sql.ansi.enabled" -> "false"), stock = 2, ours = 2)
    // Spark 4.3 makes one aggregate of two, so the partitioning on x comes from a window.
    assertShuffles(fourSql("SELECT r, sum(n) AS n FROM (SELECT pow(x, -1) AS r, " +
        "count(*) OVER (PARTITION BY x) AS n FROM t1) GROUP BY r"), stock = 2, ours = 2)
  }

  test("9: INTERSECT is served by functions of its keys, but not of doubles, where 0.0 is -0.0") {
    def intersect(key: String) =
      fourSql(s"SELECT DISTINCT $key FROM t1 INTERSECT SELECT DISTINCT $key FROM t2")
    assertShuffles(intersect("a"), stock = 4, ours = 2)
    assertShuffles(intersect("x"), stock = 4, ours = 4)
  }

  private def failed(query: String): Boolean =
    fourSql(query).alone.forall(_.outcome.isInstanceOf[Failed])

  private def facts(runs: Four): Seq[Set[ReasonCode]] =
    runs.own.map(Reports.reasons)

  test("9: the report on an INTERSECT says why the DISTINCT below it is served as well") {
    val runs = fourSql("SELECT DISTINCT a FROM t1 INTERSECT SELECT DISTINCT a FROM t2")
    for (run <- runs.own; removal <- Reports.of(run).flatMap(_.taken)) {
      assert(removal.place.contains("Join"))
      assert(removal.reasons.map(_.code) ==
        Seq(ExchangeReasons.AlreadyTogether, ExchangeReasons.FunctionOfKeys))
      assert(
        removal.reasons.last.sentence.endsWith("are functions of (a), so equal rows are together"))
    }
    assert(facts(runs).distinct ==
      Seq(Set(ExchangeReasons.AlreadyTogether, ExchangeReasons.FunctionOfKeys)))
  }

  test("9: nothing is said of functions where the keys themselves are hashed") {
    val runs =
      fourSql("SELECT a, max(n) FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) GROUP BY a")
    assertShuffles(runs, stock = 2, ours = 1)
    assert(facts(runs).forall(codes =>
        codes.nonEmpty && !codes(ExchangeReasons.FunctionOfKeys) && !codes(
          ExchangeReasons.FixedLayout)))
  }

  test("10: keys of different widths") {
    val columns = Seq("i", "a", "k", "m", "n", "f", "x")
    val pairs = for (l <- columns; r <- columns if l < r) yield (l, r)
    for ((l, r) <- Nightly.part(pairs, every = 4)) withClue(s"$l = $r") {
      assertSomeRows(fourSql(s"SELECT l.$l AS g, count(*) AS c FROM widths l JOIN widths r " +
          s"ON l.$l = r.$r AND l.b = r.b GROUP BY l.$l"))
    }
  }

  test("10: the least and the greatest numbers, in keys of different widths") {
    val columns = Seq("a", "k", "m", "x")
    val pairs = for (l <- columns; r <- columns if l < r) yield (l, r)
    for ((l, r) <- Nightly.half(pairs, 0)) withClue(s"$l = $r") {
      assertSomeRows(fourSql(s"SELECT l.$l AS g, count(*) AS c FROM extremes l JOIN extremes r " +
          s"ON l.$l = r.$r AND l.b = r.b GROUP BY l.$l"))
    }
    assertSomeRows(fourSql("""SELECT v, sum(c) AS c FROM (
      SELECT a AS v, count(*) AS c FROM extremes GROUP BY a, b
      UNION ALL SELECT k AS v, count(*) AS c FROM extremes GROUP BY k, b) GROUP BY v"""))
  }

  test("10: a union of different widths") {
    assertSomeRows(fourSql("""SELECT v, sum(c) AS c FROM (
      SELECT a AS v, count(*) AS c FROM widths GROUP BY a, b
      UNION ALL SELECT k AS v, count(*) AS c FROM widths GROUP BY k, b) GROUP BY v"""))
  }

  test("10: overflow stays the same error") {
    val big = "(SELECT k % 100 + 9223372036854775000 AS k, b FROM widths)"
    for (query <- Seq(
        s"SELECT c, count(*) FROM (SELECT CAST(k AS INT) AS c, b, count(*) AS n FROM $big GROUP BY ALL) GROUP BY c",
        s"SELECT b, sum(s) FROM (SELECT b, k, sum(k) AS s FROM $big GROUP BY b, k) GROUP BY b",
        "SELECT l.a, count(*) FROM widths l JOIN widths r ON l.a = r.k AND CAST(l.k * 10000000 AS INT) = r.a GROUP BY l.a"))
      assert(failed(query), query)
  }

  test("10: a date that no timestamp holds is dropped before it is cast to one") {
    sql("CREATE TABLE days USING parquet AS SELECT CAST(id % 20 AS INT) AS i, " +
      "if(id = 0, DATE'300000-01-01', date_add(DATE'2024-01-01', CAST(id % 20 AS INT))) AS d " +
      "FROM range(200)")
    sql("CREATE TABLE times USING parquet AS SELECT i AS k, CAST(d AS TIMESTAMP) AS t FROM days " +
      "WHERE d < DATE'2100-01-01'")
    def joined(key: String, other: String) =
      s"SELECT x.$key, x.n FROM (SELECT $key, count(*) AS n FROM days GROUP BY $key " +
        s"HAVING count(*) > 1) x JOIN (SELECT DISTINCT CAST($other) AS o FROM times) y ON x.$key = y.o"
    assertShuffles(fourSql(joined("d", "t AS TIMESTAMP")), stock = 3, ours = 3)
    // The twin: each INT is a BIGINT, so that groups may lie by the cast.
    assertShuffles(fourSql(joined("i", "k AS BIGINT")), stock = 3, ours = 2)
  }

  test("11: coalesce(n) then a join must shuffle, repartition into other numbers too") {
    assertShuffles(fourSql("""SELECT x.a, x.n, t2.d FROM
      (SELECT /*+ COALESCE(2) */ * FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a)) x
      JOIN t2 ON x.a = t2.a"""), stock = 3, ours = 3)
    assertSomeRows(fourSql("""SELECT a, max(n) AS n FROM
      (SELECT /*+ COALESCE(2) */ * FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a)) GROUP BY a"""))
    for ((n, m) <- Seq(5 -> 8, 8 -> 5, 3 -> 2))
      assertSomeRows(
        fourSql(s"""SELECT x.a, count(*) AS n FROM (SELECT /*+ REPARTITION($n, a) */ * FROM t1) x
      JOIN (SELECT /*+ REPARTITION($m, a) */ * FROM t2) y ON x.a = y.a AND x.b = y.b GROUP BY x.a"""))
  }

  test("17: several distinct counts with filters and a rollup") {
    assertSomeRows(
      fourSql("SELECT a, count(DISTINCT b), count(DISTINCT c) FILTER (WHERE d > 20), " +
        "sum(DISTINCT d), count(*) FROM t1 GROUP BY a"))
    assertSomeRows(
      fourSql("SELECT a, b, count(DISTINCT c), count(DISTINCT d) FROM t1 GROUP BY ROLLUP (a, b)"))
    assertSomeRows(fourSql("SELECT a, count(DISTINCT t1.b), count(DISTINCT t2.d) FROM t1 JOIN t2 " +
        "USING (a, b) GROUP BY a"))
  }

  test("17: grouping sets with the key in all and in some sets; pivot") {
    for (sets <- Seq("(a, b), (a)", "(a, b), (b)", "(a, b), ()"))
      assertSomeRows(
        fourSql(s"SELECT a, b, count(*) AS n, max(d) AS d FROM t1 GROUP BY GROUPING SETS ($sets)"))
    assertSomeRows(fourSql("SELECT t1.a, t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a " +
        "GROUP BY GROUPING SETS ((t1.a, t1.b), (t1.a))"))
    assertShuffles(fourSql(
        "SELECT * FROM (SELECT a, b, d FROM t1) PIVOT (sum(d) AS s, count(*) AS n FOR b IN (1, 2, 3))"),
      stock = 2, ours = 1)
  }

  test("18: no sort more than Spark alone; the group limit stays below the window") {
    val queries = Seq(
      "SELECT t1.a, t1.b, sum(t2.d) OVER (PARTITION BY t1.b ORDER BY t2.d, t1.a) AS d " +
        "FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b",
      "SELECT a, b, n, sum(n) OVER (PARTITION BY a ORDER BY b) AS s, max(n) OVER (PARTITION BY a, b) AS m " +
        "FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b)",
      "SELECT * FROM (SELECT a, b, n, rank() OVER (PARTITION BY a ORDER BY n DESC) AS r " +
        "FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b)) WHERE r <= 2")
    for (query <- queries) {
      val runs = fourSql(query)
      assertSomeRows(runs)
      for ((off, on) <- runs.pairs) {
        assert(sorts(on) <= sorts(off), s"${planText(off)}\n${planText(on)}")
        assert(limited(on) == limited(off), s"${planText(off)}\n${planText(on)}")
      }
    }
  }

  private def sorts(run: Executed): Int = nodes(run) { case s: SortExec => s }.size

  private def limited(run: Executed): Boolean =
    nodes(run) { case w: WindowGroupLimitExec => w }.nonEmpty
}
