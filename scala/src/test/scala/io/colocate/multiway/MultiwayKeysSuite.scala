package io.colocate.multiway

import org.apache.spark.sql.execution.FilterExec

import io.colocate.testing.EveryThird

/** Keys of multiway joins of every type, and columns beside them: the rows are those of Spark alone. */
class MultiwayKeysSuite extends MultiwaySession with EveryThird {

  test("a constant or a range of constants reaches every input of the variable") {
    view("e", "src, dst", randomEdges(300, 12))
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
    view("e", "src, dst", randomEdges(200, 12).map(_.map(v => s"concat('V', $v)")))
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
    val rows = randomEdges(200, 20).zipWithIndex.map { case (edge, i) =>
      edge ++ Seq(s"'edge $i'", s"$i * 0.5")
    }
    view("e", "src, dst, name, weight", rows)
    compareMultiway(sql(s"SELECT a.name, b.name, c.name, a.weight + b.weight $Triangle"))
    compareMultiway(sql(s"SELECT c.name, a.src $Triangle"))
    compareMultiway(sql(s"SELECT * $Triangle"))
    compareMultiway(sql(s"SELECT b.name, count(*) $Triangle GROUP BY b.name"))
  }

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
      view("n", "src, dst", randomEdges(150, 12))
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
    val rows = randomEdges(300, 6).zip(randomEdges(300, 6, seed = 2)).map { case (a, b) => a ++ b }
    view("e", "s1, s2, d1, d2", rows)
    compareMultiway(sql("""SELECT a.s1, a.s2, b.d1 FROM e a
      JOIN e b ON a.d1 = b.s1 AND a.d2 = b.s2
      JOIN e c ON b.d1 = c.d1 AND b.d2 = c.d2 AND a.s1 = c.s1 AND a.s2 = c.s2"""))
    view("i", "src, dst", randomEdges(200, 20))
    sql("SELECT CAST(src AS BIGINT) AS src, CAST(dst AS SMALLINT) AS dst FROM i")
      .createOrReplaceTempView("l")
    compareMultiway(sql("""SELECT a.src, b.dst, c.dst FROM i a
      JOIN l b ON a.dst = b.src JOIN i c ON b.dst = c.dst AND a.src = c.src"""))
  }

  test("keys of unlike scale; structs and arrays are left to Spark") {
    view("i", "src, dst", randomEdges(200, 12))
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
    view("v", "src, dst", randomEdges(200, 20))
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
}
