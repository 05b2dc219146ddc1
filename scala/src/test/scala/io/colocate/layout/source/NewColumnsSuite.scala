package io.colocate.layout.source

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

  test(
    "columns that are gone are not named, and a table that is gone is described by its catalog") {
    val (name, path) = table()
    write(spark.range(5).selectExpr("id AS other", "id AS more"), path, "overwrite")
    assert(described(s"DESCRIBE $name") == Seq(Row("id", "bigint", "a number")))
    for (harm <- Seq[Path => Unit](log => Files.writeString(log, "no log"), Files.delete(_))) {
      val (lost, folder) = table()
      widen(folder)
      harm(Paths.get(folder, "_robust_log", "00000000000000000002.json"))
      assert(described(s"DESCRIBE $lost") == Seq(Row("id", "bigint", "a number")))
    }
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
