package io.colocate.tables.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.{ColumnStat, Filter, LogicalPlan, Statistics}

/** What the optimiser knows of a pruned scan whose table nobody has analysed. */
class ScanStatisticsSuite extends TableSession {

  private val CostBased = "spark.sql.cbo.enabled" -> "true"

  private def plan(query: DataFrame): LogicalPlan = query.queryExecution.optimizedPlan

  private def scanned(query: DataFrame): Statistics = plan(query).collectLeaves().head.stats

  private def column(query: DataFrame, name: String): Option[ColumnStat] =
    scanned(query).attributeStats.collectFirst { case (a, stat) if a.name == name => stat }

  private def filtered(query: DataFrame): Option[BigInt] =
    plan(query).collectFirst { case filter: Filter => filter.stats.rowCount }.flatten

  private lazy val rows = spark.range(4000).selectExpr("id AS a",
    "IF(id % 4 = 0, NULL, CAST(id % 1000 AS INT)) AS b", "CAST(id % 2 = 0 AS BOOLEAN) AS c",
    "7 AS d", "CAST(NULL AS DATE) AS e", "concat('name-', id) AS s",
    "date_add(DATE '2026-01-01', CAST(id DIV 100 AS INT)) AS t", "CAST(id AS DECIMAL(9, 2)) AS m")

  private lazy val path = create(rows, "maxLeafRows" -> "100", "columns" -> "a")

  test("bounds and NULLs of the files that are left reach the optimiser without ANALYZE") {
    withConf(CostBased) {
      val few = read(path).where("a < 200")
      val (first, last) = (column(few, "a").get, column(few, "m").get)
      assert(first.min.contains(0L) && first.max.exists(m => m.asInstanceOf[Long] < 500L))
      assert(column(read(path), "a").get.max.contains(3999L))
      assert(last.max.map(_.toString).exists(m => m.endsWith(".00") && m.length < 7))
      assert(column(read(path), "b").get.nullCount.contains(BigInt(1000)))
      assert(column(few, "b").get.nullCount.exists(n => n > 0 && n < 150))
      assert(column(few, "s").get.avgLen.exists(n => n >= 6 && n <= 8))
      assert(column(few, "s").forall(stat => stat.min.isEmpty && stat.max.isEmpty))
      same(rows.where("a < 200"), few)
    }
  }

  test("without cost-based optimisation nothing of columns is gathered") {
    assert(scanned(read(path)).attributeStats.isEmpty)
    val table = plan(read(path)).collectLeaves().head
    assert(!table.toString.contains("distinctCount"))
    val stats = table.collectFirst {
      case relation: org.apache.spark.sql.execution.datasources.LogicalRelation =>
        relation.catalogTable.flatMap(_.stats)
    }.flatten
    assert(stats.exists(_.colStats.isEmpty) && stats.exists(_.rowCount.contains(BigInt(4000))))
  }

  test("only columns that the query names are told of") {
    withConf(CostBased) {
      val query = read(path).where("a < 2000").select("b")
      assert(column(query, "a").nonEmpty && column(query, "b").nonEmpty)
      assert(Seq("c", "d", "s", "t").forall(column(query, _).isEmpty))
    }
  }

  test("estimates of filters change with it: by NULLs, by bounds, and by values that are known") {
    val estimates = Seq("b IS NULL" -> 1000, "b IS NOT NULL" -> 3000,
      "e IS NOT NULL OR a = -5" -> 0, "b IS NULL OR a = -5" -> 1000, "b IS NULL OR d < 7" -> 1000,
      "b IS NULL OR d > 6" -> 4000,
      // How many values a has nobody knows, so how many rows are left is not guessed.
      "b IS NULL OR a = 5" -> 4000, "b IS NULL OR a < 5" -> 4000)
    for ((condition, estimate) <- estimates) {
      def query = read(path).where(condition)
      withConf(CostBased) {
        val kept = scan(query).keptRows
        assert(filtered(query).contains(BigInt(estimate.min(kept.toInt))), condition)
      }
      assert(filtered(query).isEmpty, condition)
      same(rows.where(condition), query)
    }
  }

  test("different values are counted where ranges show them all, and not guessed elsewhere") {
    withConf(CostBased) {
      def count(name: String): Option[BigInt] = column(read(path), name).get.distinctCount
      assert(count("c").contains(BigInt(2)) && count("d").contains(BigInt(1)))
      assert(count("e").contains(BigInt(0)))
      assert(count("a").isEmpty && count("b").isEmpty && count("m").isEmpty)
      val days = create(spark.range(900).selectExpr("CAST(id DIV 100 AS INT) * 10 AS day", "id"),
        "columns" -> "day", "maxLeafRows" -> "100")
      assert(column(read(days), "day").get.distinctCount.contains(BigInt(9)))
      val within = read(days).where("day = 20")
      assert(column(within, "day").get.distinctCount.exists(_ <= 2))
      // Beside 0 and 40 the one file holds others, or it does not: its ends do not tell.
      val coarse = create(spark.range(900).selectExpr("CAST(id DIV 200 AS INT) * 10 AS day"))
      assert(column(read(coarse), "day").get.distinctCount.isEmpty)
      assert(filtered(read(coarse).where("day = 20")).contains(BigInt(900)))
    }
  }

  test("values that Spark's estimates cannot reckon with are left out, and queries run") {
    val odd = spark.range(600).selectExpr("IF(id % 3 = 0, double('NaN'), double(id)) AS nan",
      "IF(id = 5, double('-Infinity'), IF(id = 6, double('Infinity'), double(id))) AS inf",
      "IF(id % 2 = 0, -1.7E308D, 1.7E308D) AS wide", "float(id) AS f", "double('NaN') AS all_nan",
      "timestamp_micros(id) AS ts", "CAST(timestamp_micros(id) AS TIMESTAMP_NTZ) AS ntz",
      "concat('x', id) COLLATE UTF8_LCASE AS ci", "array(id) AS l", "unhex(hex(id)) AS bin",
      "repeat(concat('y', id), 100) AS long")
    val table = create(odd, "maxLeafRows" -> "100")
    withConf(CostBased) {
      for (name <- Seq("nan", "inf", "wide", "all_nan", "ntz", "ci", "l"))
        assert(column(read(table), name).isEmpty, name)
      for (name <- Seq("f", "ts")) assert(column(read(table), name).exists(_.hasMinMaxStats), name)
      for (name <- Seq("bin", "long"))
        assert(column(read(table), name).exists(stat => stat.min.isEmpty && stat.max.isEmpty), name)
      val conditions = Seq("nan > 5", "nan = double('NaN')", "inf < 10", "inf = double('Infinity')",
        "wide > 0", "f < float('NaN')", "f > 10 AND f <= 20", "f IN (1, 2, 900)", "all_nan > 1",
        "ts > timestamp_micros(100)", "ts = timestamp_micros(10000)",
        "ntz > TIMESTAMP_NTZ '1970-01-01 00:00:00.0001'", "ci = 'X5'", "ci > 'X5'", "bin > x'31'",
        "long > 'y5'", "long IN ('a', 'b')", "f = nan", "f < inf", "ts IS NULL")
      for (condition <- conditions) {
        val query = read(table).where(condition)
        plan(query).foreach(_.stats)
        same(odd.where(condition), query)
      }
    }
  }

  test("joins, unions, aggregates and limits above such scans are estimated, and run") {
    read(path).createOrReplaceTempView("statistics")
    for (text <- Seq("SELECT c, count(*) FROM statistics GROUP BY c",
        "SELECT a FROM statistics UNION ALL SELECT b FROM statistics",
        "SELECT count(*) FROM statistics x JOIN statistics y ON x.a = y.b",
        "SELECT count(*) FROM statistics x JOIN statistics y ON x.d = y.d AND x.a = y.a",
        "SELECT count(*) FROM statistics x LEFT JOIN statistics y ON x.e = y.e",
        "SELECT count(*) FROM statistics x FULL JOIN statistics y ON x.a = y.b AND x.d = y.d",
        "SELECT count(*) FROM statistics WHERE a IN (SELECT b FROM statistics WHERE t < '2026-01-05')",
        "SELECT s FROM statistics WHERE a = 5 LIMIT 3")) {
      val expected = sql(text)
      expected.collect()
      withConf(CostBased, "spark.sql.cbo.joinReorder.enabled" -> "true",
        "spark.sql.cbo.planStats.enabled" -> "true") {
        val found = sql(text)
        plan(found).foreach(_.stats)
        same(expected, found)
      }
    }
  }
}
