package io.colocate.tables.sql

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.types.StructType

/** A table is overwritten by a query that reads it: refused, or done right, and nothing is lost. */
class OverwriteItselfSuite extends TableSession {

  private var names = 0

  /** The name and the path of a table of 10 rows in version 0 and 30 in version 1. */
  private def table(): (String, String) = {
    names += 1
    val name = s"itself_$names"
    spark.range(10).write.format("colocate").saveAsTable(name)
    spark.range(10, 30).write.format("colocate").mode("append").saveAsTable(name)
    val found = spark.sessionState.catalog
      .getTableMetadata(spark.sessionState.sqlParser.parseTableIdentifier(name))
    (name, found.location.getPath)
  }

  private def readers: Seq[(String, (String, String) => DataFrame)] =
    Seq("by name" -> ((t, _) => spark.table(t)),
      "by name, filtered" -> ((t, _) => spark.table(t).where("id > 3")),
      "by name, an older version" -> ((t, _) => spark.read.option("version", 0).table(t)),
      "VERSION AS OF" -> ((t, _) => sql(s"SELECT * FROM $t VERSION AS OF 0")),
      "TIMESTAMP AS OF" -> ((t, _) => sql(s"SELECT * FROM $t TIMESTAMP AS OF current_timestamp()")),
      "by path" -> ((_, path) => read(path)),
      "by path, an older version" -> ((_, path) => read(path, "version" -> "0")),
      "by path in SQL" -> ((_, path) => sql(s"SELECT * FROM colocate.`$path`")),
      "by path, some columns" -> ((_, path) =>
        spark.read.schema(new StructType().add("id", "bigint")).format("colocate").load(path)),
      "in a subquery" -> ((t, _) =>
        sql(s"SELECT id FROM range(5) WHERE id IN (SELECT id FROM $t)")),
      "in a subquery, by path" -> ((_, path) =>
        sql(s"SELECT id, (SELECT max(id) FROM colocate.`$path`) FROM range(5)")),
      "in a subquery of a subquery" -> ((t, _) =>
        sql(s"SELECT id FROM range(5) WHERE id IN (SELECT id FROM range(9) WHERE id < " +
          s"(SELECT max(id) FROM $t VERSION AS OF 0))")),
      "in a common table expression" -> ((t, _) =>
        sql(s"WITH old AS (SELECT * FROM $t VERSION AS OF 0) SELECT * FROM old")),
      "through a view" -> ((t, _) => {
        sql(s"CREATE OR REPLACE VIEW view_of_$t AS SELECT * FROM $t")
        spark.table(s"view_of_$t")
      }),
      "through a temporary view of an older version" -> ((_, path) => {
        read(path, "version" -> "0").createOrReplaceTempView("old_itself")
        spark.table("old_itself").where("id < 5")
      }),
      "cached" -> ((_, path) => {
        val kept = read(path, "version" -> "0").where("id < 9").cache()
        kept.count()
        kept
      }), "joined" -> ((t, path) => spark.range(50).join(read(path, "version" -> "0"), "id")),
      "united" -> ((_, path) => spark.range(5).toDF("id").union(read(path, "version" -> "0"))))

  for ((how, reader) <- readers)
    test(s"saveAsTable of the table $how is refused and loses nothing")(usualAnalyser {
      val (t, path) = table()
      val frame = reader(t, path)
      for (format <- Seq("colocate", "parquet")) {
        val e = failure(frame.write.format(format).mode("overwrite").saveAsTable(t))
        assert(e.getMessage.contains("UNSUPPORTED_OVERWRITE"), e)
      }
      assert(spark.table(t).count() == 30 && read(path, "version" -> "0").count() == 10)
    })

  test("other ways to replace a table by name lose nothing")(usualAnalyser {
    val (t, path) = table()
    val old = s"SELECT * FROM $t VERSION AS OF 0"
    val ways = Seq[(String, () => Any)](
      "createOrReplace" -> (() => sql(old).writeTo(t).using("colocate").createOrReplace()),
      "replace" -> (() => sql(old).writeTo(t).using("colocate").replace()),
      "overwrite" -> (() =>
        sql(old).writeTo(t).overwrite(org.apache.spark.sql.functions.lit(true))),
      "overwritePartitions" -> (() => sql(old).writeTo(t).overwritePartitions()),
      "REPLACE TABLE" -> (() => sql(s"CREATE OR REPLACE TABLE $t USING colocate AS $old")),
      "INSERT OVERWRITE" -> (() => sql(s"INSERT OVERWRITE $t $old")),
      "insertInto" -> (() => sql(old).write.mode("overwrite").insertInto(t)))
    for ((way, run) <- ways) {
      val e = failure(run())
      assert(e.isInstanceOf[AnalysisException], s"$way: $e")
      assert(spark.table(t).count() == 30 && version(path) == 1, way)
    }
  })

  test("an older version is restored by a save to the path, and the cache keeps versions apart") {
    val (t, path) = table()
    val old = read(path, "version" -> "0").cache()
    assert(old.count() == 10 && read(path).count() == 30 && spark.table(t).count() == 30)
    old.unpersist(blocking = true)
    write(read(path, "version" -> "0"), path, "overwrite")
    assert(spark.table(t).count() == 10 && read(path, "version" -> "1").count() == 30)
  }

  test("a table is overwritten by name from what does not read it")(usualAnalyser {
    val (t, path) = table()
    val (other, _) = table()
    spark.read.option("version", 0).table(other).write.format("colocate").mode("overwrite")
      .saveAsTable(t)
    assert(spark.table(t).count() == 10)
    spark.range(3).write.format("colocate").mode("overwrite").saveAsTable(t)
    assert(spark.table(t).collect().toSet == Set(Row(0), Row(1), Row(2)) && version(path) == 0)
  })

  test("a marked query is the query: columns that it leaves out, metadata, joins with itself") {
    val (t, path) = table()
    val frame = read(create(numbers(50)))
    same(numbers(50).select("a").where("b > 500"), frame.select("a").where("b > 500"))
    same(numbers(50).select("a").orderBy("s"), frame.select("a").orderBy("s"))
    assert(frame.select("a").where("_metadata.file_name LIKE '%.parquet'").count() == 50)
    assert(frame.as("x").join(frame.as("y"), "a").count() == 50)
    assert(frame.join(frame, frame("a") === frame("a")).count() >= 50)
    val cached = frame.where("a < 10").cache()
    cached.count()
    val again = frame.where("a < 10").queryExecution.optimizedPlan.toString
    assert(again.contains("InMemoryRelation"), again)
    cached.unpersist(blocking = true)
    assert(spark.table(t).join(read(path), "id").count() == 30)
  }
}
