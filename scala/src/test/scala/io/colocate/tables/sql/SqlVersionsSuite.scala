package io.colocate.tables.sql

import org.apache.spark.sql.Row

import io.colocate.testing.EveryOther

/** Tables in SQL by their path, and older versions of tables. */
class SqlVersionsSuite extends NamedTables with EveryOther {

  test("a table is named by its path")(usualAnalyser {
    val path = create(numbers(500), "maxLeafRows" -> "50")
    same(numbers(500), sql(s"SELECT * FROM colocate.`$path`"))
    val few = scan(sql(s"SELECT b FROM Colocate.`$path` WHERE a < 10"))
    assert(few.keptFiles * 2 <= few.files)
    write(numbers(10), path, "overwrite")
    same(numbers(500), sql(s"SELECT * FROM colocate.`$path` WITH (version = 0)"))
    sql(s"CREATE OR REPLACE TEMPORARY VIEW by_path AS SELECT * FROM colocate.`$path`")
    same(numbers(10), sql("SELECT * FROM by_path"))
  })

  test("what is no path of a table is an error, as it is without us") {
    val e = failure(sql(s"SELECT * FROM colocate.`${fresh()}`"))
    assert(e.getMessage.contains("COLOCATE_TABLE_NOT_FOUND"))
    assert(failure(sql("SELECT * FROM colocate.nothing")).getMessage.contains("UNSUPPORTED"))
    withConf("spark.sql.runSQLOnFiles" -> "false") {
      val path = create(numbers(5))
      assert(failure(sql(s"SELECT * FROM colocate.`$path`")).getMessage.contains("TABLE_OR_VIEW"))
    }
  }

  test("VERSION AS OF and TIMESTAMP AS OF")(usualAnalyser {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    val between = new java.sql.Timestamp(log(location(t)).snapshot().info.time).toInstant
    Thread.sleep(5)
    sql(s"INSERT INTO $t SELECT id FROM range(5)")
    def rows(query: String) = sql(query).collect().length
    for (named <- Seq(t, s"spark_catalog.default.$t", s"colocate.`${location(t)}`")) {
      assert(rows(s"SELECT * FROM $named") == 15)
      assert(rows(s"SELECT * FROM $named VERSION AS OF 0") == 10)
      assert(rows(s"SELECT * FROM $named FOR VERSION AS OF '1'") == 15)
      assert(rows(s"SELECT * FROM $named TIMESTAMP AS OF '$between'") == 10)
      assert(rows(s"SELECT * FROM $named VERSION AS OF 0 CROSS JOIN $named VERSION AS OF 1") == 150)
      assert(rows(s"SELECT * FROM $named WHERE 9 < (SELECT count(*) FROM $named VERSION AS OF 0)" +
        s" AND 15 > (SELECT count(*) FROM $named VERSION AS OF 0)") == 15)
      assert(rows(s"WITH old AS (SELECT * FROM $named VERSION AS OF 0) SELECT * FROM old") == 10)
    }
    assert(rows(s"SELECT $t.id, default.$t.id FROM $t VERSION AS OF 0") == 10)
    val e = failure(sql(s"SELECT * FROM $t VERSION AS OF 7").collect())
    assert(e.getMessage.contains("COLOCATE_TABLE"))
  })

  test("TIMESTAMP AS OF takes what can be computed before the query")(usualAnalyser {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    for (named <- Seq(t, s"colocate.`${location(t)}`");
      time <- Seq("current_timestamp()", "now()", "date_add(current_date(), 1)",
        "current_timestamp() + INTERVAL 1 HOUR", "to_timestamp('2999-01-01')",
        "timestamp'2999-01-01' - INTERVAL 1 DAY", "CAST('2999-01-01' AS DATE)"))
      assert(sql(s"SELECT count(*) FROM $named TIMESTAMP AS OF $time").head() == Row(10), time)
    for (time <- Seq("current_timestamp() - INTERVAL 1000 DAYS" -> "TIMESTAMP_TOO_EARLY",
        "id" -> "cannot refer to any columns", "rand()" -> "INVALID_TIME_TRAVEL",
        "no_such_function()" -> "UNRESOLVED_ROUTINE")) {
      val e = failure(sql(s"SELECT * FROM $t TIMESTAMP AS OF ${time._1}").collect())
      assert(e.getMessage.contains(time._2), e)
    }
  })

  test("versions of one table are not taken for each other")(usualAnalyser {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    sql(s"ALTER TABLE $t ADD COLUMNS (extra STRING)")
    sql(s"INSERT INTO $t SELECT id, 'x' FROM range(5)")
    val (old, now) = (s"$t VERSION AS OF 0", s"$t VERSION AS OF 2")
    def check(old: String, now: String): Unit = {
      assert(sql(s"SELECT * FROM $old").columns.toSeq == Seq("id"))
      val counts = s"SELECT (SELECT count(*) FROM $old), (SELECT count(*) FROM $now)"
      assert(sql(counts).head() == Row(10, 15))
      val joined = "SELECT count(*), sum(a.n), sum(b.n) FROM" +
        s" (SELECT id, count(*) AS n FROM $old GROUP BY id) a JOIN" +
        s" (SELECT id, count(*) AS n FROM $now GROUP BY id) b ON a.id = b.id"
      assert(sql(joined).head() == Row(10, 10, 15))
    }
    check(old, now)
    check(s"$t WITH (version = 0)", s"$t WITH (VERSION = 2)")
    check(s"$t WITH (version = 0)", t)
    for (cached <- Seq(s"SELECT * FROM $t", s"SELECT * FROM $old")) {
      val kept = sql(cached).cache()
      kept.count()
      try check(old, now)
      finally kept.unpersist(blocking = true)
    }
    same(spark.range(10).toDF(), spark.read.option("version", 0).table(t))
    val e = failure(sql(s"SELECT * FROM $old WITH (timestamp = '2026-11-22')").collect())
    assert(e.getMessage.contains("COLOCATE_TABLE_INVALID_OPTION"))
  })

  test("an option called version is left alone on what is not a table of ours") {
    val t = name()
    sql(s"CREATE TABLE $t USING parquet AS SELECT id FROM range(10)")
    assert(sql(s"SELECT * FROM $t WITH (version = 0)").count() == 10)
    assert(spark.read.option("version", 0).table(t).count() == 10)
  }

  test("VERSION AS OF on what is not a table of ours is Spark's own error") {
    val (t, v) = (name(), name())
    sql(s"CREATE TABLE $t USING parquet AS SELECT id FROM range(10)")
    spark.range(3).createOrReplaceTempView(v)
    for (named <- Seq(t, v, "nowhere")) {
      val (ours, sparks) = (failure(sql(s"SELECT * FROM $named VERSION AS OF 0")),
        withConf("spark.colocate.enabled" -> "false")(
          failure(sql(s"SELECT * FROM $named VERSION AS OF 0"))))
      assert(ours.getMessage == sparks.getMessage && !ours.getMessage.contains("COLOCATE"))
    }
  }

  test("an older version of a table of the catalog is read by an option, for that query alone")(
    usualAnalyser {
      val t = name()
      sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
      sql(s"INSERT INTO $t SELECT id FROM range(10, 15)")
      for (_ <- 1 to 2) {
        assert(spark.read.option("version", "0").table(t).count() == 10)
        assert(sql(s"SELECT count(*) FROM $t").head() == Row(15))
        assert(sql(s"SELECT count(*) FROM $t WITH (version = '0')").head() == Row(10))
      }
      val old = read(location(t), "version" -> "0")
      assert(spark.table(t).join(old, "id").count() == 10 && scans(spark.table(t).join(old, "id"))
        .map(_.version).toSet == Set(0L, 1L))
    })

  test("INSERT goes by the names of columns, whatever another session did to their order") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate OPTIONS (maxLeafRows '7') AS SELECT 1L AS x, 2L AS y")
    sql(s"SELECT * FROM $t").collect()
    write(sql("SELECT 20L AS y, 10L AS x"), location(t), "overwrite")
    sql(s"INSERT INTO $t VALUES (100, 200)")
    assert(read(location(t)).where("x = 100").select("y").head() == Row(200))
    sql(s"INSERT OVERWRITE $t VALUES (5, 6)")
    assert(read(location(t)).select("x", "y").collect().toSeq == Seq(Row(5, 6)))
  }
}
