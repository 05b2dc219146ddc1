package io.colocate.tables.sql

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.lit

import io.colocate.testing.{EveryOther, Nightly}

/** Columns of every name that Spark takes, in every operation, against plain Parquet. */
class NamesSuite extends TableSession with EveryOther {

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.shuffle.partitions" -> "2")

  private val names = Seq(" ends ", "a.b", "a,b=c", "`q`y", "a;(b){c}\t\n", "it's \"q\" \\",
    "100%20/#?*", "e\u0301😀٣", "1e5", "select", "__colocate_leaf", "__colocate_number",
    "__colocate_file")

  private def quoted(name: String): String = "`" + name.replace("`", "``") + "`"

  /** Rows with a column of the name, which goes up with the row. */
  private def rows(name: String, count: Int, from: Int = 0): DataFrame =
    spark.range(from, from + count).selectExpr("id AS k", s"id DIV 2 AS ${quoted(name)}",
      "concat('t', id % 7) AS t")

  private def parquet(frame: DataFrame): DataFrame = {
    val path = fresh()
    frame.write.parquet(path)
    spark.read.parquet(path)
  }

  for ((name, i) <- names.zipWithIndex)
    test(s"a column named '${name.take(20)}'", Nightly.turn(i, every = 4): _*) {
      val column = quoted(name)
      val path = create(rows(name, 100), "joinKey" -> column, "weights" -> "t=2",
        "columns" -> s"$column, t, k", "maxLeafRows" -> "20")
      write(rows(name, 20, from = 100), path, "append", "joinKey" -> column)
      write(rows(name, 10, from = 300), path, "overwrite", "replaceWhere" -> s"$column >= 55")
      val expected = parquet(rows(name, 110).union(rows(name, 10, from = 300)))
      same(expected, read(path))
      write(spark.range(0).toDF(), path, "append", "operation" -> "compact")
      for (predicate <- Seq(s"$column < 5", s"$column IN (7, 150)", s"$column IS NULL",
          s"$column = 9 OR t = 't1'"))
        same(expected.where(predicate), read(path).where(predicate))
      val query = read(path).where(s"$column < 5")
      assert(scan(query).keptFiles < scan(query).files)
      assert(query.groupBy(column).count().count() == 5)
      joins(name, path, expected)
      functions(name, path)
      statistics(name, path)
    }

  private def joins(name: String, path: String, expected: DataFrame): Unit = {
    val column = quoted(name)
    val other =
      create(rows(name, 200), "joinKey" -> column, "joinCuts" -> path, "maxLeafRows" -> "40")
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.colocate.hyperjoin.mode" -> "force") {
      val joined = read(path).join(read(other).select(column), Seq(name))
      val plan = joined.queryExecution.executedPlan.toString
      assert(plan.contains("ColocateHyperScan"), plan)
      same(expected.join(rows(name, 200).select(column), Seq(name)), joined)
    }
    val few = spark.range(60).selectExpr("id AS d", "id % 20 AS w").where("w = 3")
    val left = read(path)
    same(expected.join(few, expected(column) === few("d")),
      left.join(few, left(column) === few("d")))
  }

  private def functions(name: String, path: String): Unit = {
    val column = quoted(name)
    val tree =
      sql(s"SELECT DISTINCT column FROM colocate_table_tree('$path') WHERE column IS NOT NULL")
    assert(values(tree.collect().toSeq).contains(name))
    assert(sql(s"SELECT rows FROM colocate_table_stats('$path')").head().getLong(0) == 120)
    read(path).createOrReplaceTempView("named_column")
    val queries =
      new ObjectMapper().writeValueAsString(Array(s"SELECT * FROM named_column WHERE $column = 7"))
    val advice =
      spark.sql("SELECT column FROM colocate_advise_columns(:t, :q) WHERE read_share < 0.5",
        Map("t" -> path, "q" -> queries))
    assert(values(advice.collect().toSeq).contains(name))
  }

  private def statistics(name: String, path: String): Unit =
    withConf("spark.sql.cbo.enabled" -> "true") {
      val stats =
        read(path).where(s"${quoted(name)} > 3").queryExecution.optimizedPlan.collectLeaves()
          .head.stats
      assert(stats.rowCount.exists(_ <= 120))
    }

  for ((name, i) <- names.take(4).zipWithIndex)
    test(s"a column named '${name.take(20)}' that comes later, and weights",
      Nightly.turn(i, every = 4): _*) {
      val column = quoted(name)
      val path = create(rows("v", 50), "maxLeafRows" -> "20")
      write(rows(name, 50, from = 50).drop("t"), path, "append", "mergeSchema" -> "true")
      val expected = parquet(rows("v", 50).withColumn(name, lit(null).cast("bigint"))
          .unionByName(rows(name, 50, from = 50).withColumn("v", lit(null).cast("bigint")).drop(
            "t"), allowMissingColumns = true))
      same(expected.select("k", "v", "t", column), read(path).select("k", "v", "t", column))
      val weighted = create(rows(name, 100), "weights" -> s"$column = 5", "columns" -> s"$column,t",
        "maxLeafRows" -> "20", "replicas" -> "2")
      same(rows(name, 100), read(weighted))
    }

  test("tables by SQL with every name at once") {
    val all = names.zipWithIndex.foldLeft(spark.range(100).toDF("id")) { case (frame, (name, i)) =>
      frame.selectExpr("*", s"id * ${i + 1} AS ${quoted(name)}")
    }
    all.createOrReplaceTempView("all_names")
    sql(
      "CREATE TABLE every_name USING colocate OPTIONS (joinKey '`a,b=c`', weights 'a.b=2, ```q``y`=3'," +
        " maxLeafRows '20') AS SELECT * FROM all_names")
    sql("INSERT INTO every_name SELECT * FROM all_names")
    same(all.union(all), sql("SELECT * FROM every_name"))
    sql("CREATE TABLE every_name_too LIKE every_name")
    sql("INSERT INTO every_name_too TABLE every_name")
    same(all.union(all), sql("SELECT * FROM every_name_too"))
    sql("ANALYZE TABLE every_name COMPUTE STATISTICS FOR ALL COLUMNS")
    for (name <- names)
      assert(sql(s"SELECT * FROM every_name WHERE ${quoted(name)} = 0").count() == 2, name)
  }

  test("names that differ in case alone are two columns where the session says so") {
    withConf("spark.sql.caseSensitive" -> "true") {
      val both = spark.range(100).selectExpr("id AS a", "id % 10 AS A", "id % 3 AS b")
      val path = create(both, "joinKey" -> "a", "weights" -> "A=2, b=3", "maxLeafRows" -> "20")
      write(both, path, "append")
      write(both.where("A = 3"), path, "overwrite", "replaceWhere" -> "A = 3")
      write(spark.range(0).toDF(), path, "append", "operation" -> "compact")
      same(both.union(both).where("A <> 3").union(both.where("A = 3")), read(path))
      same(both.where("a = 14"), read(path).where("a = 14").distinct())
      assert(read(path).where("A = 3").count() == 10)
      assert(failure(create(both, "joinKey" -> "B")).getMessage.contains("INVALID_OPTION"))
    }
  }

  test(
    "a column may not be named twice, in two cases neither, where the session takes them for one") {
    for ((option, text) <- Seq("joinKey" -> "a, A", "columns" -> "b, a, `A`",
        "weights" -> "a=2, A=3")) {
      val e = failure(create(numbers(10), option -> text)).getMessage
      assert(e.contains("INVALID_OPTION") && e.contains(option) && e.contains("twice"), e)
    }
  }
}
