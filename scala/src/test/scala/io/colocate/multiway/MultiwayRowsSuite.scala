package io.colocate.multiway

import java.util.concurrent.atomic.AtomicInteger

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.DurationInt
import scala.util.Random

import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd, SparkListenerTaskStart}
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec}

import io.colocate.multiway.graph.MultiwayJoin
import io.colocate.testing.Outcome

/** The rows of multiway joins: those of Spark alone, for keys of every type and columns beside them. */
class MultiwayRowsSuite extends MultiwaySession {

  private def edges(n: Int, vertices: Int, seed: Int = 1): Seq[Seq[Any]] = {
    val random = new Random(seed)
    Seq.fill(n)(Seq[Any](random.nextInt(vertices), random.nextInt(vertices)))
  }

  test("triangles, with duplicate edges, listed and counted") {
    view("e", "src, dst", edges(300, 30))
    compareMultiway(sql(s"SELECT a.src, a.dst, c.dst AS third $Triangle"))
    compareMultiway(sql(s"SELECT b.dst $Triangle"))
    compareMultiway(sql(s"SELECT count(*) $Triangle"))
    compareMultiway(sql(s"SELECT b.src, count(*) + 1, count(1) $Triangle GROUP BY b.src"))
    compareMultiway(sql(s"SELECT DISTINCT b.dst $Triangle"))
    compareMultiway(sql(s"SELECT b.dst, sum(a.src), max(c.src) $Triangle GROUP BY b.dst"))
  }

  test("the first rows of more than a number can count") {
    view("e", "src, dst", Seq.fill(2000)(Seq(1, 1)))
    val joins = (1 until 7).map(i => s"JOIN e e$i ON e${i - 1}.dst = e$i.src").mkString(" ")
    val ring = s"FROM e e0 $joins AND e6.dst = e0.src"
    withConf(Mode -> "force") {
      val first = sql(s"SELECT e0.src $ring LIMIT 5")
      assert(first.collect().length == 5 && multiway(first).nonEmpty)
      val all = intercept[Exception](sql(s"SELECT count(*) $ring").collect())
      assert(all.getMessage.contains("does not fit"), all)
    }
  }

  test("a relation that is joined several times is broadcast once") {
    view("e", "src, dst", edges(300, 30))
    for (adaptive <- Seq("true", "false"))
      withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> adaptive) {
        val found = sql(s"SELECT count(*) $Triangle")
        found.collect()
        val plan = planOf(found)
        assert(collect(plan) { case b: BroadcastExchangeExec => b }.length == 1, plan)
        assert(collect(plan) { case r: ReusedExchangeExec => r }.length == 1, plan)
        assert(multiway(found).head.metrics("buildSize").value > 0)
      }
  }

  test("counts are those of the join, with no rows too") {
    view("e", "src, dst", Seq(Seq(1, 2), Seq(2, 3)))
    compareMultiway(sql(s"SELECT count(*) $Triangle"))
    compareMultiway(sql(s"SELECT a.src, count(*) $Triangle GROUP BY a.src"))
    compareMultiway(sql(s"SELECT count(*) $Triangle HAVING count(*) > 0"))
    view("e", "src, dst", Seq(Seq(1, 1), Seq(1, 1), Seq(1, 1)))
    compareMultiway(sql(s"SELECT count(*) $Triangle"))
    assert(withConf(Mode -> "force")(sql(s"SELECT count(*) $Triangle").head().getLong(0)) == 27)
  }

  test("comparisons of variables, and conditions over several inputs") {
    view("e", "src, dst", edges(300, 30))
    compareMultiway(sql(s"SELECT count(*) $Triangle WHERE a.src < a.dst AND b.src < b.dst"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE b.dst >= a.src"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE b.dst + a.src > b.src * 2"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE a.src = 3 OR b.dst = 4"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE a.src = 3"))
    withConf(Mode -> "force") {
      val found = sql(s"SELECT 1 $Triangle WHERE a.src < a.dst AND a.dst < b.dst")
      assert(multiway(found).head.comparisons.nonEmpty)
    }
  }

  private val Square = "FROM e a JOIN e b ON a.dst = b.src JOIN e c ON b.dst = c.dst " +
    "JOIN e d ON d.dst = c.src AND d.src = a.src"

  /** Spark's rows, with so many comparisons in the join, and those that are left in filters above. */
  private def compared(query: String, within: Int, above: Int): Unit = {
    compareMultiway(sql(query))
    withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
      val found = sql(query)
      val (plan, join) = (planOf(found), multiway(found).head)
      val filters = plan.collect { case f: FilterExec if f.exists(_ eq join) => f }
      assert(join.comparisons.length == within && filters.length == above, plan)
    }
  }

  test(
    "BETWEEN and <> of variables are part of the join, listed and counted; of other columns not") {
    view("e", "src, dst, at", edges(150, 12).zipWithIndex.map { case (e, i) => e :+ i * 37 % 150 })
    for (list <- Seq("a.src, b.dst, d.dst", "count(*)")) {
      // Of these two one is about the columns of one input, which it is pushed to.
      compared(s"SELECT $list $Square WHERE b.dst BETWEEN a.src AND b.src", 1, 0)
      compared(s"SELECT $list $Square WHERE a.src <= b.dst AND c.src >= a.dst", 2, 0)
      compared(s"SELECT $list $Square WHERE a.src <> b.dst AND a.dst <> c.src", 2, 0)
      compared(s"SELECT $list $Square WHERE a.src <> b.dst AND a.dst < c.src", 2, 0)
      compared(s"SELECT $list $Square WHERE a.at < b.at AND a.src <> b.dst", 1, 1)
      compared(s"SELECT $list $Square WHERE a.src <> b.dst + 1", 0, 1)
    }
    withConf(BroadcastBytes -> "1b") {
      compared(s"SELECT a.src, count(*) $Square WHERE a.src <> b.dst GROUP BY a.src", 1, 0)
    }
    val odd = Seq("0.0D", "-0.0D", "double('NaN')", "1.5D", "NULL")
    view("e", "src, dst", for (i <- 0 until 40) yield Seq(odd(i % 5), odd(i * i % 5)))
    compared(s"SELECT a.src, b.dst $Square WHERE a.src <> b.dst", 1, 0)
  }

  /** Spark's rows, with such a condition in the join; none where it is left in a filter above. */
  private def computed(query: String, within: Option[String]): Unit = {
    compareMultiway(sql(query))
    withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
      val found = sql(query)
      val (plan, join) = (planOf(found), multiway(found).head)
      val filters = plan.collect { case f: FilterExec if f.exists(_ eq join) => f }
      assert(join.conditions.map(_.toString) == within.toSeq, plan)
      assert(filters.isEmpty == within.nonEmpty, plan)
    }
  }

  test("functions of variables that never fail are part of the join, others are not") {
    view("e", "src, dst, at", edges(150, 12).zipWithIndex.map { case (e, i) => e :+ i * 37 % 150 })
    for (list <- Seq("a.src, b.dst, d.dst", "count(*)"); most <- Seq("1g", "1b"))
      withConf(BroadcastBytes -> most) {
        def on(condition: String, within: Option[String]): Unit =
          computed(s"SELECT $list $Square WHERE $condition", within)
        on("b.dst = greatest(a.src, a.dst)", Some("(v1 = greatest(v3, v0))"))
        on("try_add(a.src, b.dst) = c.src", Some("((v3 + v1) = v2)"))
        on("a.src < b.dst OR a.src = c.src", Some("((v3 < v1) OR (v3 = v2))"))
        on("a.src + b.dst = c.src", None)
        on("greatest(a.src, b.at) = c.src", None)
      }
    withConf("spark.sql.ansi.enabled" -> "false") {
      computed(s"SELECT count(*) $Square WHERE (a.src + b.dst) % 3 = 0",
        Some("(((v3 + v1) % 3) = 0)"))
    }
    view("e", "src, dst", edges(150, 12).map(_.map(i => s"'k$i'")))
    computed(s"SELECT a.src, b.dst $Square WHERE startswith(b.dst, a.src)",
      Some("startswith(v1, v3)"))
    view("e", "src, dst", edges(80, 6).map(_.map(i => s"double($i)")))
    computed(s"SELECT a.src, b.dst $Square WHERE b.dst = greatest(a.src, a.dst)", None)
  }

  test(
    "joins of two inputs each, which stand in where the join cannot be planned, give the same rows") {
    view("e", "src, dst", edges(150, 12))
    for (where <- Seq("a.src < b.dst", "a.src <> b.dst", "b.dst = greatest(a.src, a.dst)",
        "NOT EXISTS (SELECT 1 FROM e x WHERE x.src = a.src AND x.dst = b.dst)",
        "EXISTS (SELECT 1 FROM e x WHERE x.src = a.src AND x.dst = b.dst)")) {
      val query = s"SELECT a.src, b.dst, d.dst $Square WHERE $where"
      val optimized = withConf(Mode -> "force") {
        sql(query).asInstanceOf[Dataset[_]].queryExecution.optimizedPlan
      }
      assert(optimized.exists(_.isInstanceOf[MultiwayJoin]))
      val standIn = optimized.transform { case join: MultiwayJoin => join.binary }
      withConf(Mode -> "off") {
        val rows = spark.sessionState.executePlan(standIn).executedPlan.executeCollectPublic()
        val different = Outcome.difference(Outcome(sql(query).collect().toSeq), Outcome(rows.toSeq))
        assert(different.isEmpty && rows.nonEmpty, different.mkString)
      }
    }
  }

  test("a constant or a range of constants reaches every input of the variable") {
    view("e", "src, dst", edges(300, 12))
    val path = scratch("constants")
    spark.table("e").write.parquet(path)
    spark.read.parquet(path).createOrReplaceTempView("e")
    def filters(condition: String, text: String): Int = {
      val query = s"SELECT a.dst, b.dst $Triangle WHERE $condition"
      compareMultiway(sql(query))
      withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
        planOf(sql(query)).collect {
          case f: FilterExec if f.condition.toString.contains(text) => f
        }.length
      }
    }
    assert(filters("a.src BETWEEN 3 AND 7", ">= 3)") == 2 && filters("a.src = 5", " = 5)") == 2)
    // Of the second path only b's own column.
    assert(filters("b.src + b.dst > 9", "> 9)") == 1)
  }

  test("keys that are functions which never fail make variables") {
    view("e", "src, dst", edges(200, 12).map(_.map(v => s"concat('V', $v)")))
    sql("SELECT lower(src) AS src, concat('  ', dst, ' ') AS dst FROM e").createOrReplaceTempView(
      "l")
    compareMultiway(
      sql("SELECT a.src, b.dst, c.dst FROM l a JOIN e b ON upper(trim(a.dst)) = b.src " +
        "JOIN e c ON b.dst = c.dst AND a.src = lower(c.src)"))
    compareMultiway(sql("SELECT count(*) FROM e a JOIN e b ON a.dst = coalesce(b.src, 'V1') " +
        "JOIN e c ON b.dst = c.dst AND a.src = c.src"))
    // It fails for texts that are no numbers, and Spark may never come to them.
    compare(sql("SELECT count(*) FROM e a JOIN e b ON a.dst = b.src JOIN e c " +
        "ON substr(b.dst, 2) + 0 = substr(c.dst, 2) + 0 AND a.src = c.src")) { found =>
      assert(multiway(found).isEmpty)
    }
  }

  test("columns beside the keys come along, from every input") {
    val rows = edges(200, 20).zipWithIndex.map { case (edge, i) =>
      edge ++ Seq(s"'edge $i'", s"$i * 0.5")
    }
    view("e", "src, dst, name, weight", rows)
    compareMultiway(sql(s"SELECT a.name, b.name, c.name, a.weight + b.weight $Triangle"))
    compareMultiway(sql(s"SELECT c.name, a.src $Triangle"))
    compareMultiway(sql(s"SELECT * $Triangle"))
    compareMultiway(sql(s"SELECT b.name, count(*) $Triangle GROUP BY b.name"))
  }

  /** What is done to a number to make a key of each type. */
  private val keys = Map("BOOLEAN" -> "n % 2 = 0", "TINYINT" -> "CAST(n AS TINYINT)",
    "SMALLINT" -> "CAST(n - 4 AS SMALLINT)", "BIGINT" -> "(n - 4) * 10000000000",
    "DATE" -> "date_add(DATE '1969-12-28', n)", "TIMESTAMP" -> "timestamp_seconds(n * 3600)",
    "TIMESTAMP_NTZ" -> "CAST(timestamp_seconds(n * 3600) AS TIMESTAMP_NTZ)",
    "DECIMAL(12, 2)" -> "CAST((n - 4) / 4 AS DECIMAL(12, 2))",
    "DECIMAL(38, 10)" -> "CAST((n - 4) * 1234567890123456 AS DECIMAL(38, 10))",
    "STRING" -> "IF(n = 3, '', concat('ä', n))", "BINARY" -> "CAST(concat('k', n) AS BINARY)",
    "DOUBLE" -> "CASE n WHEN 0 THEN -0.0D WHEN 1 THEN 0.0D WHEN 2 THEN double('NaN') ELSE (n - 6) / 3 END",
    "FLOAT" -> "CASE n WHEN 0 THEN float('-0.0') WHEN 1 THEN 0.0F WHEN 2 THEN float('NaN') ELSE float(n - 6) END")

  for ((dataType, key) <- keys.toSeq.sortBy(_._1))
    test(s"keys of $dataType, NULLs among them, listed and compared") {
      view("n", "src, dst", edges(150, 12))
      spark.table("n").selectExpr("src AS n", "dst AS m")
        .selectExpr(s"IF(n = 9, NULL, $key) AS src", "m AS n")
        .selectExpr("src", s"IF(n = 9, NULL, $key) AS dst").createOrReplaceTempView("e")
      assert(spark.table("e").schema.head.dataType.sql == dataType.replace(" ", ""))
      val list = s"SELECT a.src, b.src, c.src, a.dst, b.dst, c.dst $Triangle"
      compareMultiway(sql(list))
      withConf(BroadcastBytes -> "1b")(compareMultiway(sql(list)))
      compareMultiway(sql(s"SELECT count(*) $Triangle WHERE a.src < b.dst"))
      compareMultiway(sql(s"SELECT b.dst, count(*) $Triangle WHERE a.src <= a.dst GROUP BY b.dst"))
      // From one file the rows are shared among tasks, each of them to one.
      val path = scratch(dataType)
      spark.table("e").coalesce(1).write.parquet(path)
      spark.read.parquet(path).createOrReplaceTempView("e")
      compareMultiway(sql(list))
      assert(tasks(list) > 1)
    }

  test("keys of several columns, and keys of unlike width") {
    val rows = edges(300, 6).zip(edges(300, 6, seed = 2)).map { case (a, b) => a ++ b }
    view("e", "s1, s2, d1, d2", rows)
    compareMultiway(sql("""SELECT a.s1, a.s2, b.d1 FROM e a
      JOIN e b ON a.d1 = b.s1 AND a.d2 = b.s2
      JOIN e c ON b.d1 = c.d1 AND b.d2 = c.d2 AND a.s1 = c.s1 AND a.s2 = c.s2"""))
    view("i", "src, dst", edges(200, 20))
    sql("SELECT CAST(src AS BIGINT) AS src, CAST(dst AS SMALLINT) AS dst FROM i")
      .createOrReplaceTempView("l")
    compareMultiway(sql("""SELECT a.src, b.dst, c.dst FROM i a
      JOIN l b ON a.dst = b.src JOIN i c ON b.dst = c.dst AND a.src = c.src"""))
  }

  test("keys of unlike scale; structs and arrays are left to Spark") {
    view("i", "src, dst", edges(200, 12))
    sql(
      "SELECT CAST(src / 4 AS DECIMAL(6, 2)) AS src, CAST(dst / 4 AS DECIMAL(12, 4)) AS dst FROM i")
      .createOrReplaceTempView("e")
    compareMultiway(sql(s"SELECT a.src, a.dst, b.dst, c.dst $Triangle"))
    compareMultiway(sql(s"SELECT a.src, count(*) $Triangle WHERE b.src < c.dst GROUP BY a.src"))
    for (nested <- Seq("struct", "array")) {
      sql(s"SELECT $nested(src, dst) AS src, $nested(dst, src) AS dst FROM i")
        .createOrReplaceTempView("e")
      compare(sql(s"SELECT count(*) $Triangle"))(found => assert(multiway(found).isEmpty))
    }
  }

  test("cached inputs, views, and common table expressions that are used twice") {
    view("v", "src, dst", edges(200, 20))
    for (frame <- Seq(spark.table("v"), spark.table("v").repartition(3))) {
      frame.cache().createOrReplaceTempView("e")
      try {
        compareMultiway(sql(s"SELECT a.src, b.dst $Triangle"))
        compareMultiway(sql(s"SELECT count(*) $Triangle"))
      } finally frame.unpersist()
    }
    sql("SELECT dst AS src, src AS dst FROM v WHERE src <> 3").createOrReplaceTempView("e")
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle"))
    compareMultiway(sql("WITH w AS (SELECT src, max(dst) AS dst FROM v GROUP BY src, dst DIV 2) " +
        s"SELECT count(*) ${Triangle.replace("e ", "w ")}"))
    compareMultiway(sql(s"WITH t AS (SELECT a.src AS x, count(*) AS n $Triangle GROUP BY a.src) " +
        "SELECT p.x, q.n FROM t p JOIN t q ON p.x = q.x - 1"), joins = 2)
    sql(s"SELECT a.src AS x, b.dst AS y $Triangle").createOrReplaceTempView("found")
    compareMultiway(sql("SELECT x, count(*) FROM found WHERE y > 4 GROUP BY x"))
  }

  test("shapes: diamonds, cliques, bow-ties, and ears that hang on a cycle") {
    view("e", "src, dst", edges(120, 14))
    val e = "FROM e a, e b, e c, e d"
    compareMultiway(sql(s"""SELECT a.src, d.dst, count(*) $e
      WHERE a.src = b.src AND a.dst = c.src AND b.dst = d.src AND c.dst = d.dst GROUP BY 1, 2"""))
    compareMultiway(sql(s"""SELECT a.src, b.dst, d.dst $e, e f WHERE a.src = b.src AND a.dst = c.src
      AND b.dst = c.dst AND c.src = d.src AND c.dst = f.src AND d.dst = f.dst"""))
    compareMultiway(sql(s"SELECT a.src, d.dst $Triangle JOIN e d ON d.src = b.dst"))
    compareMultiway(
      sql(s"SELECT count(*) $Triangle JOIN e d ON d.src = a.src JOIN e f ON f.src = d.dst"))
    compareMultiway(sql(s"""SELECT a.src, d.dst, f.dst $Triangle JOIN e d ON d.src = a.src
      JOIN e f ON d.dst = f.src JOIN e g ON f.dst = g.dst AND d.src = g.src"""))
    view("r", "x, y, z", edges(60, 5).zip(edges(60, 5, 3)).map { case (a, b) => a :+ b.head })
    compareMultiway(sql("""SELECT r1.x, r1.y, r1.z, r2.z AS w FROM r r1, r r2, r r3, r r4
      WHERE r1.y = r2.x AND r1.z = r2.y AND r2.y = r3.x AND r2.z = r3.y AND r3.z = r1.x
      AND r4.x = r2.z AND r4.y = r1.x AND r4.z = r1.y"""))
  }

  test("empty inputs, inputs that are aggregates or outer joins, subqueries, unions") {
    view("e", "src, dst", edges(150, 15))
    compareMultiway(sql("""SELECT a.src, b.n, c.dst FROM e a
      JOIN (SELECT src, dst, count(*) AS n FROM e GROUP BY src, dst) b ON a.dst = b.src
      JOIN (SELECT x.src, y.dst FROM e x LEFT JOIN e y ON x.dst = y.src) c
        ON b.dst = c.dst AND a.src = c.src"""))
    compareMultiway(sql(s"SELECT * FROM e WHERE src IN (SELECT b.dst $Triangle)"))
    compareMultiway(sql(s"SELECT a.src $Triangle UNION ALL SELECT b.dst $Triangle"), joins = 2)
    compareMultiway(sql(s"SELECT src, (SELECT count(*) $Triangle) FROM e"))
    compare(sql("""SELECT a.src FROM e a JOIN e b ON a.dst = b.src
      JOIN (SELECT * FROM e WHERE src > 100) c ON b.dst = c.dst AND a.src = c.src"""))(_ => ())
  }

  private val Chorded =
    "SELECT count(*) FROM e a JOIN e b ON a.src = b.src JOIN e c ON a.dst = c.src " +
      "AND b.dst = c.dst JOIN e d ON c.src = d.src JOIN e f ON c.dst = f.src AND d.dst = f.dst"

  test("the input below which most is counted apart drives, among those of like size") {
    view("e", "src, dst", for (i <- 0 until 400) yield Seq[Any](i * 7 % 29, i * 11 % 31))
    compare(sql(Chorded)) { found =>
      val Seq(join) = multiway(found)
      assert(join.depth == 3 && join.variables.head.toSet == Set(1, 2), planOf(found))
    }
    // It is not worth to broadcast a larger one.
    sql("SELECT * FROM e WHERE src < 4 LIMIT 20").createOrReplaceTempView("small")
    compare(sql(Chorded.replace("e c", "small c"))) { found =>
      assert(multiway(found).head.depth == 4, planOf(found))
    }
  }

  test("a driver of few partitions is shared among tasks, if it can be read again") {
    val list = s"SELECT a.src, b.src, c.dst, a.n $Triangle"
    val rows = spark.range(0, 4000, 1, 1).selectExpr("id * id % 61 AS src", "id * 7 % 67 AS dst",
      "IF(id % 5 = 0, NULL, id) AS n")
    val path = scratch("edges")
    rows.write.parquet(path)
    val cores = spark.sparkContext.defaultParallelism
    assert(cores > 1)
    for (filter <- Seq("true", "n % 3 = 1")) {
      spark.read.parquet(path).where(filter).createOrReplaceTempView("e")
      compareMultiway(sql(list))
      compareMultiway(sql(s"SELECT count(*) $Triangle"))
      assert(tasks(list) == 2 * cores)
    }
    // One partition as well, but not the same rows each time, or not for nothing.
    for (few <- Seq(spark.read.parquet(path).where("rand(3) < 0.9"),
        spark.read.parquet(path).repartition(1), spark.read.parquet(path).coalesce(1))) {
      few.createOrReplaceTempView("e")
      compareMultiway(sql(list))
      assert(tasks(list) == 1, planOf(sql(list)))
    }
    spark.range(0, 4000, 1, cores).selectExpr("id % 61 AS src", "id * 7 % 67 AS dst", "id AS n")
      .createOrReplaceTempView("e")
    assert(tasks(list) == cores)
  }

  test("a task that is cancelled ends, however much its row of the driver stands for") {
    spark.range(90000).selectExpr("id DIV 300 AS src", "id % 300 AS dst")
      .createOrReplaceTempView("e")
    val names = (0 until 6).combinations(2).map { case Seq(i, j) => (i, j) }.toSeq
    // Six vertices of which two are fixed: 300^4 rows of one of the driver, a minute and more.
    val clique = names.map { case (i, j) => s"e e$i$j" }.mkString("SELECT sum(e45.dst) FROM ", ", ",
      " WHERE e01.src = 1 AND e01.dst = 2 AND ") + (0 until 6).flatMap { v =>
      val columns = names.collect {
        case (`v`, j) => s"e$v$j.src"
        case (i, `v`) => s"e$i$v.dst"
      }
      columns.tail.map(c => s"${columns.head} = $c")
    }.mkString(" AND ")
    val context = spark.sparkContext
    val running = new AtomicInteger
    val counter = new SparkListener {
      override def onTaskStart(task: SparkListenerTaskStart): Unit = running.incrementAndGet()
      override def onTaskEnd(task: SparkListenerTaskEnd): Unit = running.decrementAndGet()
    }
    context.addSparkListener(counter)
    try
      withConf(Mode -> "force") {
        val query = sql(clique)
        assert(multiway(query).nonEmpty, planOf(query))
        val failed = Future {
          context.setJobGroup("clique", "is cancelled", interruptOnCancel = false)
          try intercept[Exception](query.collect())
          finally context.clearJobGroup()
        }(ExecutionContext.global)
        // No task that broadcasts an input takes so long.
        eventually(timeout(60.seconds)) {
          val stages = context.statusTracker.getActiveStageIds().toSeq
          Thread.sleep(2000)
          assert(stages.nonEmpty && stages == context.statusTracker.getActiveStageIds().toSeq)
        }
        assert(running.get > 0 && !failed.isCompleted)
        context.cancelJobGroup("clique")
        assert(Await.result(failed, 20.seconds).getMessage.contains("cancelled"))
        eventually(timeout(20.seconds))(assert(running.get == 0))
      }
    finally context.removeSparkListener(counter)
  }

  test("LIMIT asks for no more rows than it returns") {
    spark.range(60 * 60).selectExpr("id div 60 AS src", "id % 60 AS dst").createOrReplaceTempView(
      "e")
    withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
      val found = sql(s"SELECT a.src, b.dst $Triangle LIMIT 5")
      assert(found.collect().length == 5)
      assert(multiway(found).head.metrics("numOutputRows").value < 60 * 60)
    }
  }
}
