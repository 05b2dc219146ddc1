package io.colocate.tables.sql

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.Row

/** What ANALYZE, DESCRIBE, explain() and the table functions say of tables. */
class SqlStatisticsSuite extends NamedTables {

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
          mostLeafRows(t), 0, mostLeafRows(t), null))
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

  test("explain writes conditions as Spark does, and the path with its file system")(usualAnalyser {
    val path = create(numbers(1000), "maxLeafRows" -> "100")
    val text = sql(s"EXPLAIN SELECT b FROM colocate.`$path` WHERE a < 10 AND s LIKE '%x%'").head()
      .getString(0)
    Seq(s"scan: file:$path, version 0: ", "  pruned by (a < 10L): ",
      "  not pruned by contains(s, 'x') [FILTER_NOT_SUPPORTED: the outcome of contains does not").foreach(
      part => assert(text.contains(part), text))
  })
}
