package io.colocate.tables.sql

import org.apache.spark.sql.Row

/** Statements of SQL that make, fill and change tables. */
class SqlSuite extends NamedTables {

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
}
