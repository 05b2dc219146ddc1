package io.colocate.tables.feed

import java.nio.file.Files

import scala.util.Random

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.FileSourceScanExec

import io.colocate.explain.view.{QueryReport, ReportText}
import io.colocate.tables.sql.TableSession
import io.colocate.testing.{EveryOther, Nightly}

/** The changes of a table add up to its versions, whatever was done to it. */
class TableChangesSuite extends TableSession with EveryOther {

  private val columns = Seq("a", "b", "c", "s")

  private def changes(path: String, arguments: String): DataFrame =
    sql(s"SELECT * FROM colocate_table_changes('$path'$arguments)")

  /** What there is at a time, each row as often as it is there. */
  private def at(changes: DataFrame, time: Long, columns: Seq[String] = columns): DataFrame = {
    changes.createOrReplaceTempView("changes")
    val names = columns.mkString(", ")
    sql(
      s"SELECT $names, n FROM (SELECT $names, sum(__diff) AS n FROM changes WHERE __time <= $time" +
        s" GROUP BY $names) WHERE n <> 0")
  }

  private def counted(rows: DataFrame, columns: Seq[String] = columns): DataFrame = {
    rows.createOrReplaceTempView("counted")
    sql(s"SELECT ${columns.mkString(", ")}, count(*) AS n FROM counted GROUP BY ALL")
  }

  /** For each two versions: the first one's rows and the changes after it give the second one's. */
  private def addUp(path: String, columns: Seq[String] = columns): Unit = {
    val last = version(path)
    for (since <- Nightly.half(-1L to last, 0)) {
      val contents = s", since => $since, contents => true"
      val all = changes(path, contents)
      for (time <- since.max(0) to last)
        same(counted(read(path, "version" -> time.toString), columns), at(all, time, columns))
    }
  }

  private def replace(rows: DataFrame, path: String, predicate: String): Unit =
    write(rows, path, "overwrite", "replaceWhere" -> predicate)

  private def said(query: DataFrame): String =
    ReportText.section(QueryReport.of(query.queryExecution.executedPlan))

  private def filesRead(query: DataFrame): Long = {
    query.collect()
    collectWithSubqueries(query.queryExecution.executedPlan) { case scan: FileSourceScanExec =>
      scan.metrics("numFiles").value
    }.sum
  }

  test("appends, replaceWhere, overwrites, a compaction and a truncation add up") {
    val path = create(numbers(300), "maxLeafRows" -> "100")
    write(numbers(20, from = 300), path, "append")
    replace(numbers(30, from = 40), path, "a >= 40 AND a < 80")
    replace(numbers(3, from = 100).union(numbers(3, from = 100)), path,
      "c IS NULL AND a BETWEEN 90 AND 120 OR a >= 100 AND a < 103")
    write(read(path).limit(0), path, "append", "operation" -> "compact")
    write(numbers(50), path, "overwrite")
    sql(s"CREATE TABLE truncated USING colocate LOCATION '$path'")
    sql("TRUNCATE TABLE truncated")
    write(numbers(5), path, "append")
    addUp(path)
  }

  test("a compaction is no change, and no file is read for it") {
    val path = create(numbers(100), "maxLeafRows" -> "50")
    (1 to 3).foreach(i => write(numbers(10, from = 100 * i), path, "append"))
    write(read(path).limit(0), path, "append", "operation" -> "compact")
    val before = version(path) - 1
    assert(changes(path, s", $before").collect().isEmpty)
    assert(filesRead(changes(path, s", $before")) == 0)
    assert(changes(path, s", ${before - 1}").count() == 10)
    assert(changes(path, s", $before, ${before}").columns.toSeq == columns ++ Seq("__time",
      "__diff"))
  }

  test("replaceWhere gives the rows that its predicate selects, and no other") {
    val path = create(numbers(1000), "maxLeafRows" -> "1000")
    replace(numbers(5, from = 500), path, "a >= 500 AND a < 510")
    val found = changes(path, ", 0")
    assert(found.where("__diff = -1").count() == 10 && found.where("__diff = 1").count() == 5)
    assert(said(found).contains("rows with a >= 500 AND a < 510: "), said(found))
    assert(!said(found).contains("FILES_COMPARED"))
  }

  test("a predicate that another day may answer otherwise is compared, and this is said") {
    val path = create(sql("SELECT id AS a, DATE '2020-01-01' AS d FROM range(100)"))
    for (predicate <- Seq("d < current_date() AND a < 7", "a < 9 AND upper('x') = 'X'")) {
      replace(sql("SELECT id AS a, DATE '2020-01-01' AS d FROM range(3)"), path, predicate)
      val found = changes(path, s", ${version(path) - 1}")
      assert(found.collect().forall(_.getLong(3) == -1), predicate)
      assert(said(found).contains("FILES_COMPARED"), said(found))
    }
    addUp(path, Seq("a", "d"))
  }

  test("a predicate means what it meant when the rows were replaced") {
    val times = "SELECT id AS a, TIMESTAMP '2026-03-01 00:00:00 UTC' + make_interval(0, 0, 0, 0, " +
      "CAST(id AS INT)) AS t, CAST(id AS STRING) AS s FROM range(48)"
    val path = create(sql(times))
    withConf("spark.sql.session.timeZone" -> "America/New_York") {
      replace(sql(times).limit(0), path, "t >= '2026-03-01 12:00:00'")
    }
    withConf("spark.sql.ansi.enabled" -> "false", "spark.sql.caseSensitive" -> "true") {
      replace(sql(times).limit(0), path, "s < 5")
    }
    val found = changes(path, ", 0")
    assert(found.where("__time = 1").count() == 31)
    assert(found.where("__time = 2").count() == 5)
    assert(!said(found).contains("FILES_COMPARED"), said(found))
    addUp(path, Seq("a", "t", "s"))
  }

  test("random replacements: the changes are those between the two versions") {
    val random = new Random(32)
    val path = create(numbers(200), "maxLeafRows" -> "60")
    def number = random.nextInt(300) - 20
    val predicates = Seq[() => String](
      () => s"a >= $number AND a < $number", () => s"c > ${number % 50}",
      () => s"c IS NULL AND b < $number", () => s"NOT (c = ${number % 50}) OR a = $number",
      () => s"s LIKE 'name-${number.abs % 10}%'", () => s"a % 7 = ${number.abs % 7}",
      () => s"c IN (1, $number, NULL)", () => s"c <=> NULL AND a <> $number")
    for (_ <- 1 to 12) {
      val predicate = predicates(random.nextInt(predicates.length))()
      val kept = read(path).where(predicate).where(s"a % 3 <> ${random.nextInt(3)}")
      replace(kept.union(kept.limit(2)), path, predicate)
    }
    val last = version(path)
    assert(last == 12)
    val all = changes(path, "")
    (0L to last).foreach(v => same(counted(read(path, "version" -> v.toString)), at(all, v)))
    assert(!said(all).contains("FILES_COMPARED"))
  }

  test("rows that an overwrite keeps are no change; those that it keeps twice are one") {
    val path = create(numbers(100))
    write(numbers(90).union(numbers(1)), path, "overwrite")
    val found = changes(path, ", 0").collect().map(r => r.getLong(0) -> r.getLong(5)).toMap
    assert(found == (90L until 100L).map(_ -> -1L).toMap + (0L -> 1L))
    assert(said(changes(path, ", 0")).contains("FILES_COMPARED: version 1 "))
  }

  test("text that differs only in its case is a change, though a collation calls it equal") {
    def rows(text: String) = sql(s"SELECT '$text' COLLATE UTF8_LCASE AS s, map(1, 2) AS m")
    val path = create(rows("a"))
    write(rows("A"), path, "overwrite")
    val found = changes(path, ", 0").selectExpr("CAST(s AS BINARY)", "__diff").collect().toSet
    assert(found.map(r => (r.getAs[Array[Byte]](0).head, r.getLong(1))) ==
      Set(('a'.toByte, -1L), ('A'.toByte, 1L)))
  }

  test("copies of rows under several trees count once") {
    val path = create(numbers(300), "replicas" -> "2", "maxLeafRows" -> "100")
    write(numbers(20, from = 300), path, "append")
    write(numbers(50), path, "overwrite")
    addUp(path)
  }

  test("columns that were added are NULL before, or have their default") {
    val table = "with_columns"
    sql(s"CREATE TABLE $table USING colocate AS SELECT id AS a FROM range(3)")
    sql(s"ALTER TABLE $table ADD COLUMNS (b STRING, c INT DEFAULT 7)")
    sql(s"INSERT INTO $table VALUES (9, 'x', 1)")
    same(
      sql("SELECT id AS a, CAST(NULL AS STRING) AS b, 7 AS c, 0L AS t, 1L AS n FROM range(3)" +
        " UNION ALL SELECT 9, 'x', 1, 2, 1"),
      sql(s"SELECT * FROM colocate_table_changes('$table')"))
  }

  test("a predicate may name a column that older files lack") {
    val table = "with_new_column"
    sql(s"CREATE TABLE $table USING colocate AS SELECT id AS a FROM range(10)")
    sql(s"ALTER TABLE $table ADD COLUMNS (b INT DEFAULT 7)")
    val path = sql(s"SELECT path FROM colocate_table_path('$table')").head().getString(0)
    replace(sql("SELECT 3L AS a, 7 AS b"), path, "b = 7 AND a < 5")
    val found = sql(s"SELECT * FROM colocate_table_changes('$table', 1)")
    same(sql("SELECT id AS a, 7 AS b, 2L AS t, -1L AS n FROM range(5) UNION ALL SELECT 3, 7, 2, 1"),
      found)
    assert(!said(found).contains("FILES_COMPARED"), said(found))
  }

  test("an overwrite with other columns is not spanned") {
    val path = create(numbers(10))
    write(spark.range(5).selectExpr("id AS a"), path, "overwrite")
    write(spark.range(5).selectExpr("id AS a"), path, "append")
    val e = failure(changes(path, ", 0"))
    assert(e.getMessage.contains("[COLOCATE_TABLE_CHANGES_SPAN_COLUMNS] Version 0 of "), e)
    assert(changes(path, ", 1").count() == 5)
    assert(changes(path, ", since => 1, contents => true").count() == 10)
  }

  test("since and until are versions or times, and what is none is refused") {
    val path = create(numbers(10))
    val between = new java.sql.Timestamp(log(path).snapshot().info.time).toInstant
    Thread.sleep(5)
    write(numbers(7), path, "append")
    write(numbers(3), path, "append")
    assert(changes(path, s", '$between'").count() == 10)
    assert(changes(path, ", 0, 1").count() == 7)
    assert(changes(path, ", since => 1").count() == 3)
    assert(changes(path, "").count() == 20)
    assert(changes(path, ", until => 1").count() == 17)
    for ((arguments, sentence) <- Seq(
        ", 'x'" -> "The option since is 'x'; accepted: the number of a",
        ", 0, 'y'" -> "The option until is 'y'",
        ", 2, 1" -> "since is '2'; accepted: 1, the last version",
        ", 0, 9" -> "has no version 9; accepted: 0 to 2", ", -2" -> "has no version -2",
        ", contents => false" -> "contents is 'false'; accepted: true, or since")) {
      val e = failure(changes(path, arguments))
      assert(e.getMessage.contains(sentence), e)
    }
  }

  test("changes whose files a vacuum removed are refused; later ones are there") {
    val path = create(numbers(10))
    (1 to 3).foreach(i => write(numbers(i), path, "overwrite"))
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      write(read(path).limit(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    val e = failure(changes(path, ", 0"))
    assert(e.getMessage.contains("[COLOCATE_TABLE_VERSION_VACUUMED]"), e)
    assert(changes(path, ", 3").collect().isEmpty)
    same(numbers(3), changes(path, "").select("a", "b", "c", "s"))
  }

  test("a filter on the time leaves files out") {
    val path = create(numbers(100))
    (1 to 4).foreach(i => write(numbers(10), path, "append"))
    assert(filesRead(changes(path, "").where("__time = 3")) == 1)
    assert(filesRead(changes(path, "").where("__time > 2 AND a < 5")) == 2)
    assert(filesRead(changes(path, "").where("__time % 2 = 7")) == 0)
    assert(filesRead(changes(path, "")) >= 5)
  }

  test("changes after a time are known to be few before the query runs") {
    val path = create(numbers(5000), "maxLeafRows" -> "500")
    write(numbers(1), path, "append")
    def size(query: DataFrame) = query.queryExecution.optimizedPlan.stats.sizeInBytes
    val few = changes(path, "").where("__time > 0")
    assert(size(few) * 5 < size(changes(path, "")))
    assert(said(few).contains("version 1, whole files: 1 files came"), said(few))
    assert(few.count() == 1 && filesRead(few) == 1)
    val none = changes(path, "").where("__time > 7")
    assert(none.collect().isEmpty && filesRead(none) == 0)
    val later = changes(path, "").where("__time > (SELECT min(id) FROM range(0, 3))")
    assert(size(later) * 5 > size(changes(path, "")))
    assert(later.count() == 1 && said(later).contains("versions 0 to 1"), said(later))
  }

  test("a file that is missing is an error, also where the session would skip it") {
    val path = create(numbers(10))
    write(numbers(5), path, "overwrite")
    dataFiles(path).foreach(Files.delete(_))
    withConf("spark.sql.files.ignoreMissingFiles" -> "true") {
      val e = failure(changes(path, ", 0").collect())
      assert(Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null)
          .exists(_.getMessage.contains("COLOCATE_TABLE_DATA_FILE_MISSING")), e)
    }
  }

  test("a table with a column of changes is refused") {
    for (name <- Seq("_commit_version", "__DIFF", "__Time")) {
      val path = create(spark.range(3).toDF(name))
      val e = failure(changes(path, ""))
      assert(e.getMessage.contains(
          s"[COLOCATE_TABLE_CHANGES_NAME_TAKEN] file:$path has a column '$name'"), e)
    }
  }

  test("a table is not replaced by its own changes before they are read") {
    val table = "own_changes"
    sql(s"CREATE TABLE $table USING colocate AS SELECT id AS a FROM range(3)")
    sql(s"INSERT INTO $table VALUES (9)")
    val own = sql(s"SELECT a FROM colocate_table_changes('$table', 0)")
    val e = failure(own.write.format("colocate").mode("overwrite").saveAsTable(table))
    assert(e.getMessage.contains("UNSUPPORTED_OVERWRITE"), e)
    assert(sql(s"SELECT * FROM $table").count() == 4)
    val path = sql(s"SELECT path FROM colocate_table_path('$table')").head().getString(0)
    write(own, path, "overwrite")
    assert(sql(s"SELECT * FROM $table").collect().toSeq == Seq(Row(9L)))
  }

  test("changes that are cached are those of their versions") {
    val path = create(numbers(10))
    val first = changes(path, "").cache()
    assert(first.count() == 10)
    write(numbers(5), path, "append")
    assert(first.count() == 10 && changes(path, "").count() == 15)
    first.unpersist()
  }
}
