package io.colocate.tables.sql

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.Row

class SqlSuite extends TableSession {

  private var names = 0

  private def name(): String = {
    names += 1
    s"t$names"
  }

  private def location(table: String): String =
    spark.sessionState.catalog
      .getTableMetadata(spark.sessionState.sqlParser.parseTableIdentifier(table)).location.getPath

  test("CREATE TABLE, INSERT INTO, INSERT OVERWRITE, DROP TABLE") {
    val t = name()
    sql(
      s"CREATE TABLE $t (a BIGINT, b STRING) USING colocate OPTIONS (joinKey 'a', maxLeafRows '10')")
    assert(sql(s"SELECT * FROM $t").collect().isEmpty)
    sql(s"INSERT INTO $t SELECT id, concat('x', id) FROM range(100)")
    sql(s"INSERT INTO $t VALUES (100, 'x100'), (NULL, NULL)")
    assert(sql(s"SELECT count(*), count(a) FROM $t").head() == Row(102, 101))
    assert(sql(s"SELECT b FROM $t WHERE a = 42").collect().toSeq == Seq(Row("x42")))
    assert(scan(sql(s"SELECT b FROM $t WHERE a = 42")).keptFiles < 5)
    assert(log(location(t)).snapshot().trees.head.cuts.head.column == "a")
    sql(s"INSERT OVERWRITE $t SELECT id, 'y' FROM range(5)")
    assert(sql(s"SELECT count(*) FROM $t").head() == Row(5))
    sql(s"INSERT INTO $t (b) VALUES ('only b')")
    assert(sql(s"SELECT a FROM $t WHERE b = 'only b'").head().isNullAt(0))
    val path = location(t)
    sql(s"DROP TABLE $t")
    assert(!java.nio.file.Files.exists(java.nio.file.Paths.get(path)))
  }

  test("CREATE TABLE AS SELECT, with a location and without") {
    val (t, u) = (name(), name())
    sql(
      s"CREATE TABLE $t USING colocate OPTIONS (weights 'id=2') AS SELECT id, id % 7 AS m FROM range(1000)")
    assert(
      sql(s"SELECT sum(m) FROM $t").head() == sql("SELECT sum(id % 7) FROM range(1000)").head())
    val path = fresh()
    sql(s"CREATE TABLE $u USING colocate LOCATION '$path' AS SELECT id FROM range(10)")
    assert(read(path).count() == 10)
    sql(s"DROP TABLE $u")
    assert(read(path).count() == 10, "an external table stays")
  }

  test("a table at a path gets a name, with or without its columns") {
    val path = create(numbers(50))
    val (t, u) = (name(), name())
    sql(s"CREATE TABLE $t USING colocate LOCATION '$path'")
    same(numbers(50), sql(s"SELECT * FROM $t"))
    sql(s"CREATE TABLE $u (a BIGINT, b BIGINT, c INT, s STRING) USING colocate LOCATION '$path'")
    same(numbers(50), sql(s"SELECT * FROM $u"))
    val e = failure(sql(s"CREATE TABLE ${name()} (z INT) USING colocate LOCATION '$path'"))
    assert(e.getMessage.contains("SCHEMA_MISMATCH"))
  }

  test("writes by name and by path are seen by both") {
    val path = create(numbers(10))
    val t = name()
    sql(s"CREATE TABLE $t USING colocate LOCATION '$path'")
    assert(sql(s"SELECT count(*) FROM $t").head() == Row(10))
    write(numbers(5, from = 10), path, "append")
    assert(sql(s"SELECT count(*) FROM $t").head() == Row(15))
    sql(s"INSERT INTO $t SELECT * FROM $t")
    assert(read(path).count() == 30)
  }

  test("saveAsTable and insertInto") {
    val t = name()
    numbers(100).write.format("colocate").option("maxLeafRows", "20").saveAsTable(t)
    numbers(100, from = 100).write.format("colocate").mode("append").saveAsTable(t)
    numbers(100, from = 200).write.insertInto(t)
    same(numbers(300), spark.table(t))
    assert(scan(spark.table(t).where("a < 10")).keptFiles < scan(spark.table(t)).files)
  }

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

  test("ALTER TABLE ADD COLUMNS keeps the rows") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    sql(s"ALTER TABLE $t ADD COLUMNS (extra STRING)")
    sql(s"INSERT INTO $t VALUES (10, 'new')")
    assert(sql(s"SELECT count(*), count(extra) FROM $t").head() == Row(11, 1))
    assert(sql(s"SELECT id FROM $t WHERE extra = 'new'").head() == Row(10))
    assert(sql(s"SELECT count(*) FROM $t WHERE extra IS NULL").head() == Row(10))
  }

  test("TRUNCATE TABLE is a version, and loses nothing") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    sql(s"TRUNCATE TABLE $t")
    assert(sql(s"SELECT count(*) FROM $t").head() == Row(0))
    assert(read(location(t), "version" -> "0").count() == 10)
    sql(s"INSERT INTO $t SELECT id FROM range(3)")
    assert(sql(s"SELECT count(*) FROM $t").head() == Row(3))
  }

  test("ANALYZE and DESCRIBE know size and rows from the manifest") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(1000)")
    sql(s"INSERT OVERWRITE $t SELECT id FROM range(10)")
    sql(s"ANALYZE TABLE $t COMPUTE STATISTICS")
    val described =
      sql(s"DESCRIBE EXTENDED $t").collect().map(r => r.getString(0) -> r.getString(1)).toMap
    assert(described("Provider") == "colocate")
    val bytes = log(location(t)).snapshot().files.totalBytes
    assert(described("Statistics") == s"$bytes bytes, 10 rows")
  }

  test("the optimiser sees the size of what is left, and the columns' bounds after ANALYZE") {
    val t = name()
    sql(
      s"CREATE TABLE $t USING colocate OPTIONS (maxLeafRows '50') AS SELECT id AS a FROM range(5000)")
    def sizeOf(query: String) =
      sql(query).queryExecution.optimizedPlan.collectLeaves().head.stats.sizeInBytes
    assert(sizeOf(s"SELECT * FROM $t WHERE a < 100") * 5 < sizeOf(s"SELECT * FROM $t"))
    sql(s"ANALYZE TABLE $t COMPUTE STATISTICS FOR ALL COLUMNS")
    withConf("spark.sql.cbo.enabled" -> "true") {
      val stats =
        sql(s"SELECT * FROM $t WHERE a < 100").queryExecution.optimizedPlan.collectLeaves()
          .head.stats
      assert(stats.rowCount.exists(rows => rows >= 100 && rows < 1000))
      assert(stats.attributeStats.values.head.max.exists(_.asInstanceOf[Long] < 1000))
    }
  }

  test("what is not supported says so") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    for (statement <- Seq(s"DELETE FROM $t WHERE id = 1", s"UPDATE $t SET id = 2",
        s"MERGE INTO $t USING (SELECT * FROM range(3)) AS s ON $t.id = s.id WHEN MATCHED THEN DELETE")) {
      val e = failure(sql(statement))
      Seq("COLOCATE_TABLE_NOT_SUPPORTED", statement.takeWhile(_ != ' '), "replaceWhere").foreach(
        part => assert(e.getMessage.contains(part), s"$statement: $e"))
      assert(sql(s"SELECT count(*) FROM $t").head() == Row(10))
    }
    val partitioned =
      failure(sql(s"CREATE TABLE ${name()} (a INT, p INT) USING colocate PARTITIONED BY (p)"))
    assert(partitioned.getMessage.contains("COLOCATE_TABLE_NOT_SUPPORTED"))
    val bucketed =
      failure(sql(s"CREATE TABLE ${name()} (a INT) USING colocate CLUSTERED BY (a) INTO 4 BUCKETS"))
    assert(bucketed.getMessage.contains("COLOCATE_TABLE_NOT_SUPPORTED"))
  }

  test("bad options are refused in SQL too, and leave no table") {
    val (t, path) = (name(), fresh())
    for ((options, says) <- Seq("weights 'nope=2'" -> "nope", "joinkey 'a'" -> "joinkey",
        "joinLevels '-1', joinKey 'id'" -> "-1")) {
      for (create <- Seq(s"CREATE TABLE $t (id BIGINT) USING colocate OPTIONS ($options)",
          s"CREATE TABLE $t USING colocate OPTIONS ($options) AS SELECT id FROM range(10)",
          s"CREATE TABLE $t (id BIGINT) USING colocate OPTIONS ($options) LOCATION '$path'")) {
        val e = failure(sql(create))
        Seq("COLOCATE_TABLE_INVALID_OPTION", says).foreach(part =>
          assert(e.getMessage.toLowerCase.contains(part.toLowerCase), s"$create: $e"))
        assert(!spark.catalog.tableExists(t), create)
        assert(!java.nio.file.Files.exists(java.nio.file.Paths.get(path)), create)
      }
    }
    sql(s"CREATE TABLE $t (id BIGINT) USING colocate OPTIONS (weights 'id=2')")
    assert(spark.catalog.tableExists(t))
  }

  test("CREATE TABLE IF NOT EXISTS leaves the table as it is") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT id FROM range(10)")
    sql(s"CREATE TABLE IF NOT EXISTS $t (z INT) USING colocate")
    assert(sql(s"SELECT count(id) FROM $t").head() == Row(10))
    assert(
      failure(sql(s"CREATE TABLE $t (z INT) USING colocate")).getMessage.contains("already exists"))
  }

  test("history, tree and files are table functions, by path and by name") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate OPTIONS (maxLeafRows '20') AS SELECT id FROM range(100)")
    sql(s"INSERT INTO $t VALUES (7)")
    val history =
      sql(s"SELECT version, operation FROM colocate_table_history('$t')").collect().toSeq
    assert(history == Seq(Row(1, "WRITE"), Row(0, "CREATE TABLE AS SELECT")))
    val path = location(t)
    assert(sql(s"SELECT sum(rows) FROM colocate_table_files('$path')").head() == Row(101))
    assert(sql(s"SELECT sum(rows) FROM colocate_table_files('$path', 0)").head() == Row(100))
    val tree = sql(s"SELECT * FROM colocate_table_tree('$t')")
    assert(tree.where("leaf IS NOT NULL").agg("rows" -> "sum").head() == Row(101))
    assert(tree.where("cut IS NOT NULL").count() == tree.where("leaf IS NOT NULL").count() - 1)
    assert(sql(s"SELECT * FROM colocate_table_orphans('$t')").count() == 0)
  }

  test("explain says which files are read, and why") {
    val t = name()
    sql(
      s"CREATE TABLE $t USING colocate OPTIONS (maxLeafRows '20') AS SELECT id AS a FROM range(1000)")
    val text = sql(s"EXPLAIN SELECT * FROM $t WHERE a < 10 AND a % 3 = 1").head().getString(0)
    assert(text.contains("version 0: 2 of 79 files, 16 of 1,000 rows"), text)
    assert(text.contains("pruned by") && text.contains("not pruned by"), text)
  }

  test("colocate_why_not tells of scans, and of what is switched off by a mode") {
    val t = name()
    sql(
      s"CREATE TABLE $t USING colocate OPTIONS (maxLeafRows '20') AS SELECT id AS a FROM range(1000)")
    def codes(query: String, capability: String): Seq[(String, String)] =
      sql(s"SELECT operator, code FROM colocate_why_not(\"$query\", '$capability')").collect().toSeq
        .map(row => row.getString(0) -> row.getString(1))
    val scan = s"Scan file:${location(t)}"
    assert(codes(s"SELECT * FROM $t WHERE a % 3 = 1", "layout").toSet ==
      Set(scan -> "FILTER_NOT_SUPPORTED", scan -> "NOTHING_RULED_OUT"))
    assert(codes(s"SELECT * FROM $t WHERE CAST(a AS STRING) = '5'", "layout")
        .contains(scan -> "CAST_REORDERS"))
    assert(codes(s"SELECT * FROM $t", "layout").isEmpty)
    val query = s"SELECT * FROM $t WHERE a % 3 = 1"
    for ((key, value, capabilities) <- Seq(("layout.enabled", "false", Seq("layout", "hyperjoin")),
        ("hyperjoin.mode", "off", Seq("hyperjoin")), ("multiway.mode", "off", Seq("multiway")),
        ("enabled", "false", Seq("exchange", "layout", "hyperjoin", "multiway"))))
      withConf(s"spark.colocate.$key" -> value) {
        for (capability <- capabilities)
          assert(codes(query, capability).map(_._2) == Seq("SWITCHED_OFF"), s"$key, $capability")
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

  test("INSERT OVERWRITE keeps columns and options, those of type CHAR too") {
    val t = name()
    sql(
      s"CREATE TABLE $t (c CHAR(3), v VARCHAR(5), n INT) USING colocate OPTIONS (maxLeafRows '7')")
    sql(s"INSERT INTO $t VALUES ('a', 'bb', 1)")
    sql(s"INSERT OVERWRITE $t VALUES ('x', 'yy', 2)")
    assert(sql(s"SELECT * FROM $t").head() == Row("x  ", "yy", 2))
    assert(sql(s"SELECT n FROM $t WHERE c = 'x'").head() == Row(2))
    assert(log(location(t)).snapshot().metadata.options == Map("maxLeafRows" -> "7"))
    assert(failure(sql(s"INSERT INTO $t VALUES ('toolong', 'b', 1)")).getMessage.contains("EXCEED"))
  }

  test("a column that is added with a default has it in older rows, pruned and compacted too") {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate OPTIONS (maxLeafRows '30') AS SELECT id FROM range(100)")
    sql(s"ALTER TABLE $t ADD COLUMNS (x INT DEFAULT 5)")
    sql(s"INSERT INTO $t VALUES (100, 7), (101, NULL)")
    for (compacted <- Seq(false, true)) {
      if (compacted) write(numbers(0), location(t), "append", "operation" -> "compact")
      def count(condition: String) = sql(s"SELECT count(*) FROM $t WHERE $condition").head()
      assert(count("x = 5") == Row(100), compacted)
      assert(count("x IS NULL") == Row(1) && count("x = 7") == Row(1), compacted)
      assert(count("x > 5 OR x < 5") == Row(1), compacted)
    }
  }

  private def analyzed(table: String) = {
    val name = spark.sessionState.sqlParser.parseTableIdentifier(table)
    val stats = spark.sessionState.catalog.getTableMetadata(name).stats.get
    (stats.sizeInBytes, stats.rowCount)
  }

  private def mostLeafRows(t: String): Long =
    sql(s"SELECT max(rows) FROM colocate_table_tree('$t')").head().getLong(0)

  test("ANALYZE, statistics and history count rows once, however many copies there are") {
    for (replicas <- Seq(1, 2)) {
      val t = name()
      sql(s"CREATE TABLE $t USING colocate OPTIONS (replicas '$replicas', maxLeafRows '100')" +
        " AS SELECT id AS a, id % 10 AS b FROM range(1000)")
      sql(s"INSERT INTO $t VALUES (1000, 0)")
      sql(s"ANALYZE TABLE $t COMPUTE STATISTICS")
      val files = log(location(t)).snapshot().files
      assert(files.totalRows == 1001 * replicas)
      val (bytes, rows) = analyzed(t)
      assert(rows.contains(BigInt(1001)) && (bytes < files.totalBytes) == (replicas > 1))
      val trees = log(location(t)).snapshot().trees
      assert(sql(s"SELECT * FROM colocate_table_stats('$t')").head() ==
        Row(1, 1001, files.totalBytes, files.length, replicas, trees.map(_.leaves.length).sum, 0,
          mostLeafRows(t), 0, mostLeafRows(t)))
      assert(sql(s"SELECT rows FROM colocate_table_stats('$t', 0)").head() == Row(1000))
      val none = failure(sql(s"SELECT * FROM colocate_table_stats('$t', 2)"))
      assert(none.getMessage.contains("COLOCATE_TABLE_VERSION_NOT_FOUND"), none)
      val added = sql("SELECT CAST(get_json_object(metrics, '$.rowsAdded') AS INT)" +
        s" FROM colocate_table_history('$t')")
      assert(added.collect().toSeq == Seq(Row(1), Row(1000)))
    }
  }

  test("ANALYZE TABLES goes by the log for tables of ours, and leaves others to Spark") {
    sql("CREATE DATABASE shop")
    try {
      val plain = "SELECT id FROM range(20)"
      sql(s"CREATE TABLE shop.lost USING colocate AS $plain")
      sql(s"CREATE TABLE shop.plain USING parquet AS $plain")
      sql(s"CREATE TABLE shop.robust USING colocate AS $plain")
      sql("INSERT OVERWRITE shop.robust SELECT id FROM range(10)")
      val lost = new Path(location("shop.lost"))
      lost.getFileSystem(spark.sessionState.newHadoopConf()).delete(lost, true)
      sql("ANALYZE TABLES IN shop COMPUTE STATISTICS")
      val bytes = log(location("shop.robust")).snapshot().files.totalBytes
      assert(analyzed("shop.robust") == (BigInt(bytes), Some(BigInt(10))))
      assert(analyzed("shop.plain")._2.contains(BigInt(20)))
    } finally sql("DROP DATABASE shop CASCADE")
  }

  test("CREATE TABLE LIKE makes a table of the same columns and options, without rows") {
    val (t, like, there) = (name(), name(), name())
    sql(s"CREATE TABLE $t (c CHAR(3), n INT) USING colocate OPTIONS (maxLeafRows '7')")
    sql(s"INSERT INTO $t VALUES ('a', 1)")
    sql(s"CREATE TABLE $like LIKE $t")
    assert(log(location(like)).snapshot().metadata.options == Map("maxLeafRows" -> "7"))
    assert(spark.table(like).schema == spark.table(t).schema && spark.table(like).count() == 0)
    sql(s"INSERT INTO $like SELECT c, n + 1 FROM $t")
    sql(s"CREATE TABLE IF NOT EXISTS $like LIKE $t")
    assert(sql(s"SELECT * FROM $like").head() == Row("a  ", 2))
    assert(sql(s"SELECT * FROM $t").head() == Row("a  ", 1))
    assert(failure(sql(s"CREATE TABLE $like LIKE $t")).getMessage.contains("already exists"))
    val path = fresh()
    sql(s"CREATE TABLE $there LIKE $t LOCATION '$path'")
    sql(s"DROP TABLE $there")
    assert(read(path).schema.fieldNames.toSeq == Seq("c", "n"), "an external table stays")
  }

  test("CREATE TABLE LIKE goes by the format that is asked for") {
    val (robust, plain, ours, sparks, spark2) = (name(), name(), name(), name(), name())
    sql(s"CREATE TABLE $robust USING colocate AS SELECT id FROM range(5)")
    sql(s"CREATE TABLE $plain USING parquet PARTITIONED BY (p) AS SELECT id, 1 AS p FROM range(5)")
    sql(s"CREATE TABLE $ours LIKE $plain USING colocate")
    sql(s"INSERT INTO $ours SELECT * FROM $plain")
    assert(log(location(ours)).snapshot().files.totalRows == 5 && spark.table(ours).count() == 5)
    sql(s"CREATE TABLE $sparks LIKE $robust USING parquet")
    sql(s"CREATE TABLE $spark2 LIKE $plain")
    for (other <- Seq(sparks, spark2)) assert(!log(location(other)).exists)
    sql(s"INSERT INTO $sparks SELECT * FROM $robust")
    assert(spark.table(sparks).count() == 5)
  }

  test("saveAsTable appends by the table's own layout, where the catalog's options are older") {
    val t = name()
    numbers(100).write.format("colocate").option("maxLeafRows", "20").saveAsTable(t)
    write(numbers(100), location(t), "overwrite", "maxLeafRows" -> "50")
    numbers(100, from = 100).write.format("colocate").mode("append").saveAsTable(t)
    same(numbers(200), spark.table(t))
    assert(log(location(t)).snapshot().metadata.options == Map("maxLeafRows" -> "50"))
  }

  test("explain writes conditions as Spark does, and the path with its file system")(usualAnalyser {
    val path = create(numbers(1000), "maxLeafRows" -> "100")
    val text = sql(s"EXPLAIN SELECT b FROM colocate.`$path` WHERE a < 10 AND s LIKE '%x%'").head()
      .getString(0)
    Seq(s"scan: file:$path, version 0: ", "  pruned by (a < 10L): ",
      "  not pruned by contains(s, 'x') [FILTER_NOT_SUPPORTED: the outcome of contains does not").foreach(
      part => assert(text.contains(part), text))
  })
}
