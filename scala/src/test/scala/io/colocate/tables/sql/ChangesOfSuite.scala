package io.colocate.tables.sql

import org.apache.spark.sql.{DataFrame, Row}

/** CHANGES of a table in SQL, as Spark's grammar has it. */
class ChangesOfSuite extends NamedTables {

  private def rows(query: String): Set[(Any, Any, Any)] =
    sql(query).collect().map(r =>
      (r.get(0), r.getAs[Any]("_change_type"), r.getAs[Any]("_commit_version")))
      .toSet

  /** Versions: 0 has 1 and 2, 1 adds 3, 2 replaces 1 by 1 and 4. */
  private def table(): String = {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT * FROM VALUES (1), (2) AS v(a)")
    sql(s"INSERT INTO $t VALUES (3)")
    sql("SELECT * FROM VALUES (1), (4) AS v(a)").write.format("colocate").mode("overwrite")
      .option("replaceWhere", "a IN (1, 4)").save(location(t))
    t
  }

  private val second = Set[(Any, Any, Any)]((3, "insert", 1L))
  private val third =
    Set[(Any, Any, Any)]((1, "delete", 2L), (1, "insert", 2L), (4, "insert", 2L))
  private val first = Set[(Any, Any, Any)]((1, "insert", 0L), (2, "insert", 0L))

  test("bounds are part of the range, or not")(usualAnalyser {
    val t = table()
    for (named <- Seq(t, s"spark_catalog.default.$t", s"colocate.`${location(t)}`")) {
      def of(range: String) = rows(s"SELECT * FROM $named CHANGES FROM VERSION $range")
      assert(of("0") == first ++ second ++ third)
      assert(of("0 EXCLUSIVE") == second ++ third)
      assert(of("1 INCLUSIVE TO VERSION 1") == second)
      assert(of("1 TO VERSION 2 EXCLUSIVE") == second)
      assert(of("'2'") == third)
      assert(of("2 EXCLUSIVE").isEmpty)
    }
    assert(sql(s"SELECT * FROM $t CHANGES FROM VERSION 0").columns.toSeq ==
      Seq("a", "_change_type", "_commit_version", "_commit_timestamp"))
  })

  test("a range of times")(usualAnalyser {
    val t = table()
    val times = log(location(t)).history.map(_.info.time).toSeq.reverse
    def of(range: String) = rows(s"SELECT * FROM $t CHANGES FROM TIMESTAMP $range")
    def text(millis: Long) = s"'${new java.sql.Timestamp(millis).toInstant}'"
    assert(of("'2020-01-01'") == first ++ second ++ third)
    assert(of(text(times(1))) == second ++ third)
    assert(of(s"${text(times(1))} EXCLUSIVE") == third)
    assert(of(s"${text(times(0))} TO TIMESTAMP ${text(times(1))}") == first ++ second)
    assert(of(s"${text(times(0))} TO TIMESTAMP ${text(times(1))} EXCLUSIVE") == first)
    val stamps = sql(s"SELECT DISTINCT _commit_timestamp FROM $t CHANGES FROM VERSION 0").collect()
    assert(stamps.map(_.getTimestamp(0).getTime).toSet == times.toSet)
  })

  test("aliases, joins of changes with themselves, views and the reader")(usualAnalyser {
    val t = table()
    assert(sql(s"SELECT count(*) FROM $t CHANGES FROM VERSION 0 AS x" +
      s" JOIN $t CHANGES FROM VERSION 1 AS y ON x.a = y.a AND x._commit_version = y._commit_version")
      .head() == Row(6))
    assert(sql(s"SELECT $t.a FROM $t CHANGES FROM VERSION 2").count() == 3)
    sql(s"CREATE OR REPLACE TEMPORARY VIEW changed AS SELECT * FROM $t CHANGES FROM VERSION 1")
    assert(rows("SELECT * FROM changed") == second ++ third)
    val read: DataFrame = spark.read.option("startingVersion", "1").changes(t)
    assert(read.count() == 4)
  })

  test("a row that an overwrite brings several times is several changes")(usualAnalyser {
    val t = name()
    sql(s"CREATE TABLE $t USING colocate AS SELECT 1 AS a, 'x' AS b")
    sql(s"INSERT OVERWRITE $t SELECT 1, 'x' FROM range(4)")
    val found = sql(s"SELECT * FROM $t CHANGES FROM VERSION 1").collect()
    assert(found.length == 3 && found.forall(_.getString(2) == "insert"))
  })

  test("what a table cannot tell is refused by name")(usualAnalyser {
    val t = table()
    for ((options, sentence) <- Seq(
        "deduplicationMode = 'netChanges'" -> "CHANGES with deduplicationMode = netChanges is not",
        "computeUpdates = 'true', deduplicationMode = 'dropCarryovers'" -> "CHANGES with computeUpdates = true is not")) {
      val e = failure(sql(s"SELECT * FROM $t CHANGES FROM VERSION 0 WITH ($options)"))
      assert(e.getMessage.contains(sentence), e)
    }
    for (query <- Seq(() => sql(s"SELECT * FROM $t CHANGES FROM VERSION 0 WITH (nonsense = 1)"),
        () => spark.read.option("startingVersion", 0).option("nonsense", 1).changes(t)))
      assert(failure(query()).getMessage.contains(
          "The option nonsense is '1'; accepted: for changes, options named startingVersion"))
    val taken = create(spark.range(3).toDF("_Change_Type"))
    assert(failure(sql(s"SELECT * FROM colocate.`$taken` CHANGES FROM VERSION 0")).getMessage
        .contains("COLOCATE_TABLE_CHANGES_NAME_TAKEN"))
    assert(failure(sql(s"SELECT * FROM $t CHANGES FROM VERSION 'x'")).getMessage
        .contains("FROM VERSION is 'x'; accepted: the number of a version"))
    assert(failure(sql(s"SELECT * FROM $t CHANGES FROM VERSION 9")).getMessage.contains(
        "COLOCATE_TABLE"))
  })

  test("tables of other formats and names that are none are Spark's affair")(usualAnalyser {
    sql("CREATE TABLE plain USING parquet AS SELECT 1 AS a")
    assert(
      failure(sql("SELECT * FROM plain CHANGES FROM VERSION 0")).getMessage.contains("UNSUPPORTED"))
    sql("CREATE OR REPLACE TEMPORARY VIEW some AS SELECT 1 AS a")
    for (name <- Seq("some", "nothing")) {
      val seen = failure(sql(s"SELECT * FROM $name CHANGES FROM VERSION 0")).getMessage
      assert(!seen.contains("COLOCATE"), seen)
    }
  })
}
