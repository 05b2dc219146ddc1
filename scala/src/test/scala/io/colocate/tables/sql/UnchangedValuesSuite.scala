package io.colocate.tables.sql

import org.apache.spark.sql.{DataFrame, Row}

import io.colocate.testing.{EveryOther, Nightly}

/** What is appended is what is read, or is refused: by name, in each type, under each setting. */
class UnchangedValuesSuite extends TableSession with EveryOther {

  private def sql1(expressions: String): DataFrame = spark.sql(s"SELECT $expressions")

  private def refused(path: String, rows: DataFrame, options: (String, String)*): String = {
    val before = (version(path), dataFiles(path).toSet)
    val message = failure(write(rows, path, "append", options: _*)).getMessage
    assert((version(path), dataFiles(path).toSet) == before)
    message
  }

  private def appended(start: String, rows: String): Seq[Row] = {
    val path = create(sql1(start).limit(0))
    write(sql1(rows), path, "append")
    read(path).collect().toSeq
  }

  test("fields of structs go by name, wherever they stand") {
    val struct = "named_struct('x', 1, 'y', 2L)"
    val turned = "named_struct('y', 20L, 'x', 10)"
    assert(appended(s"$struct AS s", s"$turned AS s") == Seq(Row(Row(10, 20L))))
    assert(appended(s"array($struct) AS s", s"array($turned, NULL) AS s").head.getSeq[Row](0) ==
      Seq(Row(10, 20L), null))
    assert(appended(s"map($struct, array($struct)) AS s", s"map($turned, array($turned)) AS s")
      .head.getMap[Row, Seq[Row]](0).toMap == Map(Row(10, 20L) -> Seq(Row(10, 20L))))
    assert(appended(s"named_struct('in', $struct) AS s", s"named_struct('in', $turned) AS s") ==
      Seq(Row(Row(Row(10, 20L)))))
    assert(appended(s"$struct AS s", s"IF(true, NULL, $turned) AS s") == Seq(Row(null)))
  }

  test("a field that is missing is NULL, one that comes with a narrower type is widened") {
    assert(appended("named_struct('x', 1, 'y', 2L) AS s", "named_struct('Y', 3) AS s") ==
      Seq(Row(Row(null, 3L))))
  }

  test("fields of other names, and two of one name, are refused") {
    val path = create(sql1("named_struct('x', 1, 'y', 2) AS s"))
    val other = refused(path, sql1("named_struct('width', 7, 'height', 8) AS s"))
    assert(other.contains("'s'") && other.contains("no field 'width'"))
    assert(refused(path, sql1("named_struct('x', 1, 'X', 2) AS s")).contains("'x' and 'X'"))
    assert(failure(create(sql1("named_struct('x', 1, 'X', 2) AS s"))).getMessage
        .contains("'x' and 'X'"))
  }

  test("two columns of one name are refused, those that differ only in case too") {
    val path = create(sql1("0 AS a, 0 AS b"))
    for (twice <- Seq("1 AS a, 2 AS a", "1 AS a, 2 AS A")) {
      assert(refused(path, sql1(twice)).contains("two columns are named"))
      assert(refused(path, sql1(twice), "mergeSchema" -> "true").contains("two columns are named"))
    }
    withConf("spark.sql.caseSensitive" -> "true") {
      assert(refused(path, sql1("1 AS a, 2 AS A")).contains("no column 'A'"))
    }
  }

  // Each type of the rows with the types that hold all its values; every other pair is refused.
  private val held = Seq("TINYINT" -> Seq("SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE",
    "DECIMAL(3,0)", "DECIMAL(20,2)"),
    "SMALLINT" -> Seq("INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(20,2)"),
    "INT" -> Seq("BIGINT", "DOUBLE", "DECIMAL(20,2)"), "BIGINT" -> Nil, "FLOAT" -> Seq("DOUBLE"),
    "DOUBLE" -> Nil, "DECIMAL(3,0)" -> Seq("DECIMAL(20,2)"), "DECIMAL(20,2)" -> Nil,
    "DATE" -> Seq("TIMESTAMP", "TIMESTAMP_NTZ"), "TIMESTAMP" -> Nil, "TIMESTAMP_NTZ" -> Nil,
    "STRING" -> Nil, "BOOLEAN" -> Nil, "BINARY" -> Nil)

  for (((from, into), i) <- held.zipWithIndex)
    test(s"$from goes into wider types alone", Nightly.turn(i, every = 4): _*) {
      val types = held.map(_._1)
      val path = create(sql1(types.zipWithIndex.map { case (t, i) =>
      s"CAST(NULL AS $t) AS c$i"
    }.mkString(", ")))
      for ((to, i) <- types.zipWithIndex if to != from) {
        val value = from match {
          case "DATE" => "DATE'2024-02-29'"
          case "BOOLEAN" => "true"
          case "STRING" => "'1'"
          case "BINARY" => "X'01'"
          case "TIMESTAMP" => "TIMESTAMP'2024-05-06 07:08:09.987654'"
          case "TIMESTAMP_NTZ" => "TIMESTAMP_NTZ'2024-05-06 07:08:09.987654'"
          case number => s"CAST(100 AS $number)"
        }
        val rows = sql1(s"$value AS c$i")
        if (into.contains(to)) write(rows, path, "append")
        else assert(refused(path, rows).contains("holds without loss"), s"$from into $to")
      }
      val values = types.indices.filter(i => into.contains(types(i)))
      values.foreach(i => assert(read(path).where(s"c$i IS NOT NULL").count() == 1, types(i)))
    }

  test("texts longer than CHAR and VARCHAR allow are refused, by append and by overwrite") {
    spark.sql("CREATE TABLE short_texts (v VARCHAR(3), c CHAR(4), s STRUCT<v: VARCHAR(2)>) USING" +
      " colocate")
    val table = spark.sessionState.catalog.getTableMetadata(
      org.apache.spark.sql.catalyst.TableIdentifier("short_texts"))
    val path = table.location.getPath
    write(sql1("'abc' AS v, 'ab' AS c, named_struct('v', 'ab') AS s"), path, "append")
    assert(spark.table("short_texts").collect().toSeq == Seq(Row("abc", "ab  ", Row("ab"))))
    for (mode <- Seq("append", "overwrite"))
      for (long <- Seq("'abcd' AS v, 'ab' AS c, named_struct('v', 'ab') AS s",
          "'abc' AS v, 'abcde' AS c, named_struct('v', 'ab') AS s",
          "'abc' AS v, 'ab' AS c, named_struct('v', 'abc') AS s")) {
        val e = failure(write(sql1(long), path, mode))
        assert(Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null)
            .exists(_.getMessage.contains("EXCEED_LIMIT_LENGTH")), s"$mode $long: $e")
      }
    assert(spark.table("short_texts").count() == 1)
    spark.sql("DROP TABLE short_texts")
  }

  test("dates and times that an older calendar does not have are read as from Parquet") {
    val days = spark.range(30).selectExpr("id", "date_add(DATE'1582-10-01', CAST(id AS INT)) AS d",
      "TIMESTAMP'1582-10-01 00:00:00' + make_interval(0, 0, 0, CAST(id AS INT)) AS t",
      "named_struct('d', date_add(DATE'1582-10-01', CAST(id AS INT))) AS s",
      "array(date_add(DATE'1582-10-01', CAST(id AS INT)), NULL) AS l",
      "map('d', date_add(DATE'1582-10-01', CAST(id AS INT))) AS m")
    val ways = for {
      mode <- Seq("LEGACY", "CORRECTED")
      times <- Seq("INT96", "TIMESTAMP_MICROS")
      zone <- Seq("UTC", "America/Los_Angeles")
    } yield (mode, times, zone)
    for ((mode, times, zone) <- Nightly.part(ways, every = 3))
      withConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> mode,
        // Without it Spark hands other days to Parquet's filters, and loses rows of any Parquet file.
        "spark.sql.datetime.java8API.enabled" -> "true",
        "spark.sql.parquet.outputTimestampType" -> times, "spark.sql.session.timeZone" -> zone) {
        val (path, plain) = (create(days, "maxLeafRows" -> "3"), fresh())
        days.write.parquet(plain)
        for (filter <- Seq("true", "d = DATE'1582-10-15'", "d > DATE'1582-10-15'",
            "t = TIMESTAMP'1582-10-15 00:00:00'", "t >= TIMESTAMP'1582-10-15 00:00:00'",
            "t < TIMESTAMP'1582-10-12 00:00:00'", "s.d = DATE'1582-10-15'")) {
          val expected = spark.read.parquet(plain).where(filter)
          withClue(s"$mode $times $zone $filter: ")(same(expected, read(path).where(filter)))
          withConf("spark.colocate.layout.enabled" -> "false") {
            same(expected, read(path).where(filter))
          }
        }
        val twice = spark.read.parquet(plain).union(spark.read.parquet(plain))
        write(days, path, "append")
        write(numbers(0), path, "append", "operation" -> "compact")
        same(twice, read(path))
      }
  }

  test("Parquet's error for such dates, where the session asks for it, is ours too") {
    withConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> "EXCEPTION") {
      failure(create(spark.sql("SELECT DATE'1582-10-07' AS d")))
      same(spark.sql("SELECT DATE'2024-02-29' AS d"),
        read(create(spark.sql("SELECT DATE'2024-02-29' AS d"))))
    }
  }
}
