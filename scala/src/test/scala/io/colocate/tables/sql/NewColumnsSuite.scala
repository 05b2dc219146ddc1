package io.colocate.tables.sql

import java.nio.file.{Files, Path, Paths}

import org.apache.spark.sql.Row

/** Columns that come by path to a table which has a name too. */
class NewColumnsSuite extends TableSession {

  private var names = 0

  /** The name of a table of one column, and its path. */
  private def table(): (String, String) = {
    names += 1
    val path = fresh()
    sql(s"CREATE TABLE columns_$names (id BIGINT COMMENT 'a number') USING colocate " +
      s"LOCATION '$path' TBLPROPERTIES (owner_team = 'x')")
    sql(s"INSERT INTO columns_$names SELECT id FROM range(10)")
    (s"columns_$names", path)
  }

  private def widen(path: String): Unit =
    write(spark.range(5).selectExpr("id", "id * 2 AS d", "named_struct('x', 1) AS st"), path,
      "append", "mergeSchema" -> "true")

  private def described(statement: String): Seq[Row] =
    sql(statement).collect().toSeq.map(row => Row(row.get(0), row.get(1), row.get(2)))

  test("DESCRIBE sees them at once, and leaves the rest as it is") {
    val (name, path) = table()
    val before = described(s"DESCRIBE EXTENDED $name")
    assert(described(s"DESCRIBE $name") == Seq(Row("id", "bigint", "a number")))
    widen(path)
    val fresh = Seq(Row("d", "bigint", null), Row("st", "struct<x:int>", null))
    assert(described(s"DESCRIBE $name") == Row("id", "bigint", "a number") +: fresh)
    val after = described(s"DESCRIBE EXTENDED $name")
    assert(after.take(3).drop(1) == fresh && after.head == before.head)
    def details(rows: Seq[Row]) = rows.map(_.getString(0)).filter(_.nonEmpty)
    assert(details(after.drop(3)) == details(before.drop(1)))
  }

  test("REFRESH TABLE brings them to the catalog, and to queries of this session") {
    val (name, path) = table()
    assert(sql(s"SELECT count(*) FROM $name").head() == Row(10))
    widen(path)
    sql(s"REFRESH TABLE $name")
    def columns = spark.sessionState.catalog
      .getTableMetadata(spark.sessionState.sqlParser.parseTableIdentifier(name)).schema
    assert(columns.fieldNames.toSeq == Seq("id", "d", "st"))
    assert(columns("id").getComment().contains("a number"))
    assert(sql(s"SHOW COLUMNS IN $name").collect().length == 3)
    assert(spark.table(name).schema.fieldNames.length == 3)
    assert(sql(s"SELECT count(*), count(d) FROM $name").head() == Row(15, 5))
    assert(described(s"DESCRIBE $name").map(_.getString(0)) == Seq("id", "d", "st"))
    sql(s"INSERT INTO $name VALUES (100, 200, named_struct('x', 3))")
    assert(sql(s"SELECT d FROM $name WHERE id = 100").head() == Row(200))
  }

  test("a table that is gone is described by its catalog") {
    for (harm <- Seq[Path => Unit](log => Files.writeString(log, "no log"), Files.delete(_))) {
      val (lost, folder) = table()
      widen(folder)
      harm(Paths.get(folder, "_robust_log", "00000000000000000002.json"))
      assert(described(s"DESCRIBE $lost") == Seq(Row("id", "bigint", "a number")))
    }
  }

  test(
    "a query and an INSERT by name know them without REFRESH TABLE, held frames stay as they are") {
    val (name, path) = table()
    val held = spark.table(name)
    held.count()
    widen(path)
    assert(sql(s"SELECT count(*), count(d) FROM $name").head() == Row(15, 5))
    assert(sql(s"SELECT t.st.x FROM $name t WHERE t.d = 4").head() == Row(1))
    sql(s"INSERT INTO $name VALUES (100, 200, named_struct('x', 3))")
    sql(s"INSERT INTO $name (id, d) VALUES (101, 202)")
    sql(s"INSERT INTO $name BY NAME SELECT 5L AS d, 102L AS id")
    assert(sql(s"SELECT d FROM $name WHERE id >= 100 ORDER BY id").collect().toSeq ==
      Seq(Row(200), Row(202), Row(5)))
    assert(held.columns.toSeq == Seq("id") && held.count() == 18)
    assert(sql(s"SELECT a.d FROM $name a JOIN $name b ON a.id = b.d WHERE b.d = 4").count() == 2)
    assert(sql(s"SELECT id FROM $name WHERE id IN (SELECT d FROM $name WHERE d > 2)").count() > 0)
  }

  test(
    "after an overwrite by path with other columns the name is of use, with REFRESH and without") {
    for (refresh <- Seq(false, true)) {
      val (name, path) = table()
      spark.table(name).count()
      write(spark.range(5).selectExpr("CAST(id AS STRING) AS id", "id AS more"), path, "overwrite")
      if (refresh) sql(s"REFRESH TABLE $name")
      assert(described(s"DESCRIBE $name") ==
        Seq(Row("id", "string", null), Row("more", "bigint", null)))
      assert(sql(s"SELECT more FROM $name WHERE id = '3'").head() == Row(3))
      sql(s"INSERT INTO $name VALUES ('x', 7)")
      assert(spark.table(name).count() == 6)
      sql(s"INSERT OVERWRITE $name VALUES ('y', 8)")
      assert(spark.table(name).collect().toSeq == Seq(Row("y", 8)))
      sql(s"ANALYZE TABLE $name COMPUTE STATISTICS FOR ALL COLUMNS")
      if (refresh) sql(s"ALTER TABLE $name ADD COLUMNS (third INT)")
      sql(s"TRUNCATE TABLE $name")
      assert(spark.table(name).count() == 0 && read(path, "version" -> "1").count() == 10)
    }
  }

  test("a comment of the catalog stays where the column stays") {
    val (name, path) = table()
    sql(s"ALTER TABLE $name ALTER COLUMN id COMMENT 'another'")
    widen(path)
    sql(s"REFRESH TABLE $name")
    assert(described(s"DESCRIBE $name").head == Row("id", "bigint", "another"))
  }

  test("tables of others, views and single columns are described as ever") {
    sql("CREATE TABLE columns_parquet USING parquet AS SELECT 1 AS x")
    assert(described("DESCRIBE columns_parquet") == Seq(Row("x", "int", null)))
    sql("REFRESH TABLE columns_parquet")
    val (name, path) = table()
    widen(path)
    sql(s"CREATE TEMP VIEW columns_view AS SELECT id FROM $name")
    assert(described("DESCRIBE columns_view").map(_.getString(0)) == Seq("id"))
    sql("REFRESH TABLE columns_view")
    sql(s"CREATE TEMP VIEW $name AS SELECT 1 AS hides")
    try assert(described(s"DESCRIBE $name") == Seq(Row("hides", "int", null)))
    finally sql(s"DROP VIEW $name")
    assert(sql(s"DESCRIBE $name id").collect().head.getString(1) == "id")
  }
}
