package io.colocate.multiway

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.DurationInt

import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.multiway.graph.{MultiwayHint, MultiwayJoin}
import io.colocate.rule.{HintNode, RuleRunner, Switch}
import io.colocate.testing.EveryThird

/** Where a multiway join is chosen, where not, and the reasons that are given. */
class DetectionSuite extends MultiwaySession with EveryThird {

  private val square = "FROM e a JOIN e b ON a.dst = b.src JOIN e c ON b.dst = c.dst"

  private def edges(): Unit = {
    val rows = for (i <- 0 until 300) yield Seq[Any](i % 17, (i * 7) % 23)
    view("e", "src, dst", rows)
  }

  private def codesOf(text: String, settings: (String, String)*): Seq[String] =
    withConf(settings: _*) {
      val found = sql(text)
      found.collect()
      assert(multiway(found).nonEmpty == codes(found).contains("MULTIWAY_JOIN"), planOf(found))
      codes(found)
    }

  test("force, off, and the hint, which the mode off overrides") {
    edges()
    val query = s"SELECT count(*) $Triangle"
    assert(codesOf(query, Mode -> "force") == Seq("MULTIWAY_JOIN"))
    assert(codesOf(query, Mode -> "off").isEmpty)
    assert(codesOf(query, Mode -> "force", "spark.colocate.enabled" -> "false").isEmpty)
    val hinted = s"SELECT /*+ MULTIWAY */ count(*) $Triangle WHERE a.src < 9"
    assert(codesOf(hinted) == Seq("MULTIWAY_JOIN"))
    assert(codesOf(hinted, Mode -> "off").isEmpty)
    // It is auto if nobody says anything. With the mode hint it does not even look.
    assert(codesOf(query) == Seq("UNKNOWN_DEGREES") && codesOf(query, Mode -> "hint").isEmpty)
    assert(codesOf(hinted, Mode -> "hint") == Seq("MULTIWAY_JOIN"))
    assert(codesOf(hinted, "spark.colocate.enabled" -> "false").isEmpty)
    val frame =
      sql(s"SELECT a.src AS x $Triangle").hint("multiway").where("x < 5").groupBy("x").count()
    frame.collect()
    assert(codes(frame) == Seq("MULTIWAY_JOIN") && multiway(frame).head.counted.nonEmpty)
    val wrong = intercept[Exception](sql("SELECT /*+ MULTIWAY(a) */ 1"))
    assert(wrong.getMessage.contains("COLOCATE_INVALID_HINT"))
  }

  test("joins without a cycle are left alone, and the reason is given to who asks") {
    edges()
    val star = "SELECT count(*) FROM e a JOIN e b ON a.src = b.src JOIN e c ON a.src = c.src"
    val path = s"SELECT count(*) $square"
    for (query <- Seq(star, path)) {
      assert(codesOf(query, Mode -> "force") == Seq("ACYCLIC"))
      assert(codesOf(query, Mode -> "auto").isEmpty)
    }
    assert(codesOf("SELECT count(*) FROM e a JOIN e b ON a.src = b.src AND a.dst = b.dst",
      Mode -> "force").isEmpty)
  }

  /** Two triangles, of which the table ok keeps the first; the second has this weight. */
  private def guarded(w: Int): Unit = {
    view("a", "src, dst, w", Seq(Seq(1, 2, 5), Seq(9, 8, w)))
    view("b", "src, dst, w", Seq(Seq(2, 3, 1), Seq(8, 7, 1)))
    view("c", "src, dst", Seq(Seq(1, 3), Seq(9, 7)))
    view("ok", "id", Seq(Seq(1)))
  }

  test("what may fail is not evaluated on rows that a join outside of the cycle drops") {
    guarded(w = 0)
    val cycle = "JOIN b ON a.dst = b.src JOIN c ON b.dst = c.dst AND a.src = c.src"
    val early = Seq(s"SELECT a.src FROM a JOIN ok ON a.src = ok.id $cycle WHERE 10 div a.w >= b.w",
      s"SELECT a.src FROM a JOIN ok ON a.src = ok.id JOIN b ON a.dst = b.src AND 10 div a.w >= b.w " +
        "JOIN c ON b.dst = c.dst AND a.src = c.src",
      s"SELECT a.src FROM a JOIN ok ON a.src = ok.id $cycle JOIN ok o ON o.id = b.w " +
        "WHERE 10 div a.w >= o.id")
    for (query <- early; settings <- Seq(Nil, Seq("spark.sql.cbo.enabled" -> "true")))
      withConf(settings: _*) {
        assert(sql(query).collect().length == 1)
        val kept = codesOf(query, Mode -> "force")
        assert(!kept.contains("MULTIWAY_JOIN"), s"$kept $query")
      }
    assert(codesOf(early.head, Mode -> "force") == Seq("MAY_FAIL_EARLY"))
    val told = reports(withConf(Mode -> "force")(sql(early.head))).head.reason
    assert(told.sentence.contains("div CAST(a.w") && told.sentence.contains("ok drops"), told)
  }

  test("what may fail is evaluated where Spark has joined no more than the cycle, or cannot fail") {
    guarded(w = 3)
    val cycle = "FROM a JOIN b ON a.dst = b.src JOIN c ON b.dst = c.dst AND a.src = c.src"
    val hanging = s"SELECT a.src $cycle JOIN ok ON a.src = ok.id WHERE"
    for (query <- Seq(s"SELECT a.src $cycle WHERE 10 div a.w >= b.w",
        // What is asked of a single input is asked of its rows, before they are joined.
        "SELECT a.src FROM a LEFT SEMI JOIN ok ON a.src = ok.id JOIN b ON a.dst = b.src " +
          "JOIN c ON b.dst = c.dst AND a.src = c.src WHERE 10 div a.w >= b.w",
        s"$hanging try_divide(10, a.w) >= b.w AND ok.id > 0", s"$hanging 10 div a.w >= b.w"))
      withConf(Mode -> "force")(assert(codesOf(query, Mode -> "force") == Seq("MULTIWAY_JOIN"),
        query))
    // Where Spark looks for an order of its own, nobody knows what it joins before.
    assert(codesOf(s"$hanging 10 div a.w >= b.w", Mode -> "force",
      "spark.sql.cbo.enabled" -> "true", "spark.sql.cbo.joinReorder.enabled" -> "true").isEmpty)
  }

  test("outer joins, <=>, random conditions and texts with a collation close no cycle") {
    edges()
    val force = Mode -> "force"
    assert(codesOf("SELECT count(*) FROM e a JOIN e b ON a.dst = b.src " +
        "LEFT JOIN e c ON b.dst = c.dst AND a.src = c.src", force).isEmpty)
    assert(codesOf("SELECT count(*) FROM e a JOIN e b ON a.dst = b.src " +
        "JOIN e c ON b.dst <=> c.dst AND a.src = c.src", force) == Seq("ACYCLIC"))
    assert(codesOf(
        "SELECT count(*) FROM (SELECT a.src, b.dst FROM e a JOIN e b ON a.dst = b.src " +
          "WHERE rand(1) < 0.9) a JOIN e c ON a.dst = c.dst AND a.src = c.src", force).isEmpty)
    sql(
      "SELECT CAST(src AS STRING) COLLATE UTF8_LCASE AS src, CAST(dst AS STRING) COLLATE UTF8_LCASE " +
        "AS dst FROM e").createOrReplaceTempView("l")
    assert(codesOf("SELECT count(*) FROM l a JOIN l b ON a.dst = b.src JOIN l c " +
        "ON b.dst = c.dst AND a.src = c.src", force) == Seq("ACYCLIC"))
    assert(codesOf("SELECT count(*) FROM e a JOIN e b ON a.dst + 1 = b.src " +
        "JOIN e c ON b.dst = c.dst AND a.src = c.src", force) == Seq("ACYCLIC"))
  }

  test("a hint for a join of the cycle is respected; too many inputs are left alone") {
    edges()
    val force = Mode -> "force"
    assert(codesOf("SELECT /*+ MERGE(b) */ count(*) FROM e a JOIN e b ON a.dst = b.src " +
        "JOIN e c ON b.dst = c.dst AND a.src = c.src", force) == Seq("HINTED_JOIN"))
    view("e", "src, dst", Seq(Seq(1, 1)))
    def ring(n: Int): String = (1 until n).map { i =>
      val close = if (i == n - 1) s" AND e$i.dst = e0.src" else ""
      s"JOIN e e$i ON e${i - 1}.dst = e$i.src$close"
    }.mkString("SELECT e0.src FROM e e0 ", " ", "")
    assert(codesOf(ring(65), force) == Seq("MANY_INPUTS"))
    assert(codesOf(ring(64), force) == Seq("MULTIWAY_JOIN"))
    assert(codesOf(ring(17), Mode -> "auto") == Seq("MANY_INPUTS"))
    assert(codesOf(ring(16), Mode -> "auto") == Seq("UNKNOWN_DEGREES"))
  }

  test("what hangs on a cycle by two columns of one variable makes no cycle with it") {
    edges()
    // Spark itself runs the rule twice in tests, and fails where that makes another plan.
    assert(codesOf(s"SELECT count(*) $Triangle JOIN e d ON d.dst = c.src " +
        "JOIN e f ON f.dst = a.src AND f.src = d.src", Mode -> "force") == Seq("MULTIWAY_JOIN"))
    assert(codesOf(s"SELECT count(*) $Triangle JOIN e d ON d.dst = c.dst " +
        "JOIN e f ON f.dst = a.src AND f.src = d.src", Mode -> "force") == Seq("MULTIWAY_JOIN"))
    // A condition that stays above the join.
    assert(codesOf(s"SELECT count(*) $Triangle JOIN e d ON d.dst = c.dst JOIN e f " +
        "ON f.dst = b.dst AND f.src = d.src WHERE a.src + a.dst > b.dst", Mode -> "force") == Seq(
      "MULTIWAY_JOIN"))
    assert(codesOf(s"SELECT count(*) $Triangle JOIN e d ON d.dst = c.src JOIN e f " +
        "ON f.dst = a.src AND f.src = d.src WHERE a.src + a.dst > b.dst", Mode -> "force") == Seq(
      "MULTIWAY_JOIN"))
  }

  test("colocate_why_not tells of it also where the exchange planner is switched off") {
    edges()
    val query = s"SELECT /*+ MULTIWAY */ count(*) $square"
    def why(settings: (String, String)*) = withConf(settings: _*) {
      sql(s"SELECT code FROM colocate_why_not('$query') ORDER BY 1").collect().map(_.getString(0))
        .toSeq
    }
    assert(why().contains("ACYCLIC"))
    assert(why("spark.colocate.exchange.enabled" -> "false") == Seq("ACYCLIC", "SWITCHED_OFF"))
    assert(why("spark.colocate.enabled" -> "false") == Seq("SWITCHED_OFF"))
  }

  test("a plan without the hint is not even copied, and no hint is left in one with it") {
    edges()
    def optimised(text: String) = sql(text).queryExecution.optimizedPlan
    val plain = optimised(s"SELECT count(*) $Triangle")
    assert(FindCyclicJoins(spark)(plain) eq plain)
    for (text <- Seq(s"SELECT /*+ MULTIWAY */ count(*) $square",
        s"SELECT /*+ MULTIWAY */ * FROM (SELECT /*+ MULTIWAY */ a.src $Triangle) WHERE src < 4"))
      assert(optimised(text).collect { case hint: HintNode => hint }.isEmpty)
  }

  test("a query that is explained twice and then run has one plan") {
    edges()
    for (adaptive <- Seq("true", "false"); bytes <- Seq("1g", "1b"))
      withConf(Mode -> "force", BroadcastBytes -> bytes, "spark.sql.adaptive.enabled" -> adaptive) {
        val found = sql(s"SELECT a.src, count(*) $Triangle WHERE NOT EXISTS " +
          "(SELECT 1 FROM e x WHERE x.src = c.dst AND x.dst = a.src) GROUP BY a.src")
        def joins = multiway(found)
          .map(j => (j.getClass, j.keys, j.variables, j.demands, j.comparisons, j.output))
        val explained = Seq.fill(2)(found.queryExecution.explainString(
            org.apache.spark.sql.execution.ExplainMode.fromString("simple")))
        val before = joins
        assert(before.length == 1 && explained.distinct.length == 1)
        found.collect()
        assert(joins == before, planOf(found))
      }
  }

  test("a streaming query is Spark's") {
    edges()
    spark.readStream.format("rate").load().selectExpr("CAST(value AS INT) AS src", "1 AS dst")
      .createOrReplaceTempView("s")
    def found(first: String) = withConf(Mode -> "force") {
      val query = sql(s"SELECT a.src FROM $first a JOIN e b ON a.dst = b.src JOIN e c " +
        "ON b.dst = c.dst AND a.src = c.src").hint("multiway")
      val rule = RuleRunner.optional("cyclic-joins", Switch.Multiway, FindCyclicJoins(spark))
      rule(query.queryExecution.analyzed).collect {
        case node @ (_: MultiwayJoin | _: MultiwayHint) => node
      }.length
    }
    assert(found("e") == 1 && found("s") == 0)
  }

  // --- auto --------------------------------------------------------------------------------------

  private def table(
      name: String,
      rows: String,
      analysed: Boolean = true,
      format: String = "parquet"): Unit = {
    sql(s"CREATE TABLE $name USING $format AS $rows")
    if (analysed) sql(s"ANALYZE TABLE $name COMPUTE STATISTICS FOR ALL COLUMNS")
  }

  private val growing = "SELECT id % 50 AS src, (id * 7) % 51 AS dst FROM range(4000)"

  private def triangleOf(r: String, s: String, t: String): String =
    s"SELECT count(*) FROM $r a JOIN $s b ON a.dst = b.src JOIN $t c ON b.dst = c.dst AND a.src = c.src"

  test(
    "auto: analysed tables whose joins grow are joined at once, others not, each with its reason") {
    table("grows", growing)
    table("unknown", growing, analysed = false, format = "orc")
    table("thin", "SELECT id % 900 AS src, (id * 7) % 901 AS dst FROM range(2000)")
    table("keyed", "SELECT id AS src, (id * 7) % 51 AS dst FROM range(50)")
    def planned(query: String) = codesOf(query, Mode -> "auto")
    assert(planned(triangleOf("grows", "grows", "grows")) == Seq("MULTIWAY_JOIN"))
    assert(planned(triangleOf("grows", "unknown", "grows")) == Seq("UNKNOWN_DEGREES"))
    assert(planned(triangleOf("thin", "thin", "thin")) == Seq("SMALL_INTERMEDIATE"))
    assert(planned(triangleOf("grows", "keyed", "grows")) == Seq("UNIQUE_KEY"))
    val grouped = "(SELECT src, max(dst) AS dst FROM grows GROUP BY src)"
    assert(planned(triangleOf("grows", grouped, "grows")) == Seq("UNIQUE_KEY"))
    val filtered = "(SELECT * FROM grows WHERE src < 40)"
    assert(planned(triangleOf("grows", filtered, "grows")) == Seq("UNKNOWN_DEGREES"))
    withConf("spark.sql.cbo.enabled" -> "true") {
      assert(planned(triangleOf("grows", "grows", "grows")) == Seq("MULTIWAY_JOIN"))
    }
  }

  test("auto: what hangs on a cycle may leave few rows of it, and Spark may begin with it") {
    table("cycle", growing)
    table("all_vertices", "SELECT id AS v, concat('name ', id) AS name FROM range(50)")
    table("few_vertices", "SELECT id AS v, concat('name ', id) AS name FROM range(2)")
    val named = s"${triangleOf("cycle", "cycle", "cycle")} JOIN"
    def planned(vertices: String) = codesOf(s"$named $vertices n ON n.v = a.src", Mode -> "auto")
    assert(planned("all_vertices") == Seq("MULTIWAY_JOIN"))
    assert(planned("few_vertices") == Seq("SMALL_INTERMEDIATE"))
    assert(planned("(SELECT * FROM all_vertices WHERE name = 'name 7')") == Seq("UNKNOWN_DEGREES"))
  }

  test("auto: beyond a condition that the join cannot check only the first join of two counts") {
    table("ring",
      "SELECT id % 200 AS src, id * 7 % 201 AS dst, id * 3 % 100 AS at FROM range(2000)")
    val ring =
      "SELECT count(*) FROM ring a JOIN ring b ON a.dst = b.src JOIN ring c ON b.dst = c.src " +
        "JOIN ring d ON c.dst = d.src AND d.dst = a.src"
    assert(codesOf(ring, Mode -> "auto") == Seq("MULTIWAY_JOIN"))
    assert(codesOf(s"$ring WHERE a.src < c.src", Mode -> "auto") == Seq("MULTIWAY_JOIN"))
    assert(codesOf(s"$ring WHERE a.at < b.at", Mode -> "auto") == Seq("SMALL_INTERMEDIATE"))
  }

  // --- auto, counted -------------------------------------------------------------------------------

  private val CountBytes = "spark.colocate.multiway.countBytes"

  private def jobsToPlan(query: String): Int = countingJobs(planOf(sql(query)))._2

  test("auto: where nothing is analysed the rows of joins of two are counted, if that is allowed") {
    table("edges", growing, analysed = false)
    table("sparse", "SELECT id % 900 AS src, (id * 7) % 901 AS dst FROM range(2000)",
      analysed = false)
    table("own", "SELECT id AS src, id % 51 AS dst FROM range(50)", analysed = false)
    val query = triangleOf("edges", "edges", "edges")
    withConf("spark.colocate.multiway.maxFooters" -> "0") {
      assert(codesOf(query) == Seq("UNKNOWN_DEGREES") && jobsToPlan(query) == 0)
      assert(codesOf(query, CountBytes -> "1k") == Seq("UNKNOWN_DEGREES"))
    }
    withConf("spark.colocate.multiway.maxFooters" -> "0", CountBytes -> "64m") {
      assert(codesOf(query) == Seq("MULTIWAY_JOIN") && jobsToPlan(query) > 0)
      val least = Seq("a.dst = b.src", "a.dst = b.dst", "a.src = b.src").map { on =>
        sql(s"SELECT count(*) FROM edges a JOIN edges b ON $on").head().getLong(0)
      }.min
      val sentence = reports(sql(query)).head.reason.sentence
      assert(sentence.contains("make at least, as counted, %,d rows of 12,000".format(least)))
      assert(codesOf(triangleOf("sparse", "sparse", "sparse")) == Seq("SMALL_INTERMEDIATE"))
      assert(codesOf(triangleOf("edges", "own", "edges")) == Seq("SMALL_INTERMEDIATE"))
      // Of inputs that are more than files, or hang on the cycle, nothing is counted.
      val both = "(SELECT * FROM edges UNION ALL SELECT * FROM own)"
      assert(codesOf(triangleOf("edges", both, "edges")) == Seq("UNKNOWN_DEGREES"))
      assert(codesOf(s"$query JOIN own n ON n.src = a.src") == Seq("UNKNOWN_DEGREES"))
      assert(codesOf(query, Mode -> "hint").isEmpty)
    }
  }

  test("auto: NULL meets nothing, two common columns meet as one, and equal ones are filtered") {
    table("holes",
      "SELECT if(id % 40 < 39, NULL, id % 7) AS src, if(id % 40 < 39, NULL, id % 9) " +
        "AS dst FROM range(4000)", analysed = false)
    table("wide", "SELECT id % 50 AS x, (id * 7) % 51 AS y, id % 53 AS z FROM range(4000)",
      analysed = false)
    table("dense", growing, analysed = false)
    withConf(CountBytes -> "64m") {
      // 100 rows have keys: joins of two make some 1,000 rows. NULLs would make 15 million.
      assert(codesOf(triangleOf("holes", "holes", "holes")) == Seq("SMALL_INTERMEDIATE"))
      // On one of their columns the first two have some 320,000 rows, on both 6,300.
      assert(codesOf("SELECT count(*) FROM wide a JOIN wide b ON a.x = b.x AND a.y = b.y " +
        "JOIN wide c ON b.z = c.x AND a.z = c.y") == Seq("SMALL_INTERMEDIATE"))
      // Of edges from a vertex to itself there are few.
      assert(codesOf("SELECT count(*) FROM dense a JOIN dense b ON a.dst = b.src JOIN dense c " +
        "ON b.dst = c.src AND a.src = c.dst WHERE a.src = a.dst") == Seq("SMALL_INTERMEDIATE"))
    }
  }

  test("the report says what is joined, the bound, and why") {
    edges()
    withConf(Mode -> "force") {
      val found = sql(s"SELECT count(*) $Triangle")
      val Seq(report) = reports(found)
      assert(report.about.head == "a(v0, v1), b(v1, v2), c(v0, v2); v0 = a.src = c.src, " +
        "v1 = a.dst = b.src, v2 = b.dst = c.dst")
      assert(
        report.reason.sentence == "3 inputs are joined on 3 variables at once, as it was asked " +
          "for; inputs of n rows can give at most n^1.5")
      assert(collect(planOf(found)) { case s: ShuffleExchangeLike => s }.length == 1)
    }
  }

  test("cycles inside each other, each with an EXISTS, are searched once each") {
    for (name <- Seq("e", "x"))
      view(name, "src, dst", Seq.tabulate(60)(i => Seq[Any](i % 13, i % 11)))
    // Searched twice each, the innermost would be searched 2^18 times.
    val nested = (1 to 18).foldLeft("e") { (inner, _) =>
      s"(SELECT a.src, max(b.dst) AS dst FROM $inner a JOIN e b ON a.dst = b.src " +
        s"JOIN e c ON b.dst = c.dst AND a.src = c.src " +
        "WHERE EXISTS (SELECT * FROM x WHERE x.src = b.dst AND x.dst = a.src) GROUP BY a.src)"
    }
    val planned = Future {
      val query = sql(s"SELECT * FROM $nested")
      query.queryExecution.executedPlan
      query
    }(ExecutionContext.global)
    assert(multiway(Await.result(planned, 2.minutes)).isEmpty)
  }
}
