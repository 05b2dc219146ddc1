package io.colocate.tables.sql

import org.apache.spark.sql.{DataFrame, Row}

/** `spark.read.schema(...)`: what is asked for comes, or one sentence says why not. */
class AskedColumnsSuite extends TableSession {

  private def rows: DataFrame =
    spark.range(100).selectExpr("id", "CAST(id AS INT) AS a", "CAST(id AS STRING) AS s",
      "named_struct('x', id, 'y', 'q') AS st")

  private def asked(path: String, schema: String, options: (String, String)*): DataFrame =
    spark.read.schema(schema).options(options.toMap).format("colocate").load(path)

  test("the columns that are asked for come, in that order, pruned as ever") {
    val path = create(rows, "maxLeafRows" -> "10")
    assert(asked(path, "s STRING").schema.simpleString == "struct<s:string>")
    same(rows.select("s", "id"), asked(path, "s STRING, id BIGINT"))
    assert(asked(path, "st STRUCT<x: BIGINT, y: STRING>, a INT").where("a = 7").collect().toSeq ==
      Seq(Row(Row(7, "q"), 7)))
    val few = scan(asked(path, "s STRING, id BIGINT").where("id < 5"))
    assert(few.keptFiles * 2 <= few.files)
    same(rows, read(path))
  }

  test("another type, a column that is not there, and one that is named twice are refused") {
    val path = create(rows)
    for ((schema, says) <- Seq("a STRING" -> "'a' is a INT", "a BIGINT" -> "'a' is a INT",
        "z INT" -> "no column 'z'", "id BIGINT, ID BIGINT" -> "each column once",
        "st STRUCT<x: BIGINT>" -> "'st' is a STRUCT")) {
      val e = failure(asked(path, schema))
      assert(e.getMessage.contains("COLOCATE_TABLE_SCHEMA_MISMATCH") && e.getMessage.contains(says),
        e)
    }
  }

  test("an older version has the columns that it had") {
    val path = create(spark.range(5).selectExpr("id AS old"))
    write(rows, path, "overwrite")
    same(spark.range(5).selectExpr("id AS old"), asked(path, "old BIGINT", "version" -> "0"))
    assert(failure(asked(path, "id BIGINT", "version" -> "0")).getMessage.contains("accepted: old"))
    assert(failure(asked(path, "old BIGINT")).getMessage.contains("no column 'old'"))
  }

  test("texts of a length are asked for as texts") {
    sql(s"CREATE TABLE asked_texts (v VARCHAR(9), c CHAR(3)) USING colocate LOCATION '${fresh()}'")
    sql("INSERT INTO asked_texts VALUES ('one', 'a')")
    val path = log(spark.sessionState.catalog.getTableMetadata(
        spark.sessionState.sqlParser.parseTableIdentifier("asked_texts")).location.getPath).path
    assert(asked(path.toString, "c STRING, v STRING").head() == Row("a  ", "one"))
    assert(sql("SELECT * FROM asked_texts WHERE c = 'a'").head() == Row("one", "a  "))
  }

  test("options that a read does not know, or that choose files, are refused") {
    val path = create(rows)
    for (option <- Seq("versoin", "mergeSchema", "recursiveFileLookup", "pathGlobFilter",
        "modifiedAfter", "modifiedBefore", "basePath", "datetimeRebaseMode", "joinKey",
        "inferSchema")) {
      val e = failure(read(path, option -> "true"))
      Seq("COLOCATE_TABLE_INVALID_OPTION", option, "version, timestamp").foreach(part =>
        assert(e.getMessage.toLowerCase.contains(part.toLowerCase), e))
    }
    same(rows, read(path, "ignoreMissingFiles" -> "true", "parquet.some.setting" -> "1"))
  }

  test("an option of the layout, which a catalog hands to each read, is none of a read") {
    sql("CREATE TABLE asked_layout USING colocate OPTIONS (joinKey 'id', maxLeafRows '9')" +
      " AS SELECT id FROM range(30)")
    assert(spark.table("asked_layout").count() == 30)
    usualAnalyser {
      assert(sql("SELECT * FROM asked_layout VERSION AS OF 0").count() == 30)
      assert(failure(sql("SELECT * FROM asked_layout WITH (nonsense = 1)").collect()).getMessage
          .contains("COLOCATE_TABLE_INVALID_OPTION"))
    }
  }
}
