package io.colocate.multiway

import java.io.File
import java.net.URI
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.hadoop.fs.{FSDataInputStream, Path, RawLocalFileSystem}

import org.apache.spark.sql.DataFrame

import io.colocate.testing.EveryOther

/** The mode auto over files that nobody has analysed: their footers and dictionaries tell what pays. */
class FooterCountsSuite extends MultiwaySession with EveryOther {

  private val Footers = "spark.colocate.multiway.maxFooters"
  private val Dictionaries = "spark.colocate.multiway.dictionaryBytes"

  override protected def sessionConf: Map[String, String] =
    Map("spark.hadoop.fs.opened.impl" -> classOf[OpenedFileSystem].getName)

  private val growing = "id % 50 AS src, (id * 7) % 51 AS dst"
  private val named = "concat('v', id % 50) AS src, concat('v', (id * 7) % 51) AS dst"
  private val wide = "(id % 50) * 1000003 AS src, ((id * 7) % 51) * 1000003 AS dst"

  private val Query = s"SELECT count(*) $Triangle"

  private def rows(columns: String, count: Int = 4000, files: Int = 2): DataFrame = {
    spark.range(0, count, 1, files).createOrReplaceTempView("numbers")
    sql(s"SELECT $columns FROM numbers")
  }

  /** Writes edges, and makes them the view e. */
  private def edges(name: String, rows: DataFrame, options: (String, String)*): String = {
    val folder = scratch(name)
    rows.write.options(options.toMap).parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("e")
    folder
  }

  private def codesOf(query: String, settings: (String, String)*): Seq[String] =
    withConf(settings: _*)(codes(sql(query)))

  /** The query is joined at once, with the rows that Spark finds. */
  private def chosen(query: String = Query): Unit = {
    val expected = withConf(Mode -> "off")(sql(query).collect().toSeq)
    val found = sql(query)
    assert(codes(found) == Seq("MULTIWAY_JOIN") && multiway(found).nonEmpty, planOf(found))
    assert(found.collect().toSeq == expected)
  }

  /** The query's plan is Spark's, for a reason. */
  private def kept(reason: String, query: String = Query): Unit = {
    val found = sql(query)
    assert(codes(found) == Seq(reason) && multiway(found).isEmpty, planOf(found))
    def plan(mode: String) =
      withConf(Mode -> mode)(planOf(sql(query)).toString.replaceAll("#[0-9]+L?|plan_id=[0-9]+", ""))
    assert(plan("auto") == plan("off"))
  }

  test("triangles over files are joined at once, and no job runs to know that") {
    edges("plain", rows(growing))
    val (plan, jobs) = countingJobs(planOf(sql(Query)).toString)
    assert(plan.contains("ColocateMultiwayJoin") && jobs == 0)
    chosen()
    val sentence = reports(sql(Query)).head.reason.sentence
    assert(sentence.contains("would make at least, as files tell, 313,725 rows of 12,000"),
      sentence)
    // The footers are enough.
    withConf(Dictionaries -> "0")(chosen())
    assert(codesOf(Query, Mode -> "hint").isEmpty)
    assert(codesOf(Query, "spark.colocate.enabled" -> "false").isEmpty)
  }

  test("tables of the catalog, dates, narrow numbers, renamed columns and a filter IS NOT NULL") {
    val dates = s"SELECT date_add(DATE '2020-01-01', CAST(src AS INT)) AS src, " +
      s"date_add(DATE '2020-01-01', CAST(dst AS INT)) AS dst FROM e"
    edges("numbers", rows(growing))
    sql(s"CREATE TABLE days USING parquet AS $dates")
    sql(
      "CREATE TABLE bytes USING parquet AS SELECT CAST(src AS TINYINT) AS x, CAST(dst AS SMALLINT) AS y " +
        "FROM e")
    withConf(Dictionaries -> "0") {
      chosen(Query.replace(" e ", " days "))
      sql("SELECT CAST(x AS INT) AS src, y AS dst FROM bytes WHERE x IS NOT NULL")
        .createOrReplaceTempView("computed")
      kept("UNKNOWN_DEGREES", Query.replace(" e ", " computed "))
      sql("SELECT X AS src, y AS dst FROM bytes WHERE x IS NOT NULL").createOrReplaceTempView("e")
      chosen(Query.replace("c.dst", "CAST(c.dst AS BIGINT)"))
    }
  }

  test("where bounds are wide, or there are none, dictionaries tell") {
    for ((columns, name) <- Seq(wide -> "wide", named -> "named")) {
      edges(name, rows(columns))
      chosen()
      withConf(Dictionaries -> "0")(kept("UNKNOWN_DEGREES"))
      withConf(Dictionaries -> "100")(kept("UNKNOWN_DEGREES"))
      edges(s"$name-without", rows(columns), "parquet.enable.dictionary" -> "false")
      kept("UNKNOWN_DEGREES")
    }
  }

  test("values that are in several files count once") {
    // 90 values in each file, and other ones in the second: 4,000 * 4,000 / 180 rows are few.
    edges("parts",
      rows("(id DIV 2000 * 90 + id % 90) * 1000003 AS src, " +
        "(id DIV 2000 * 90 + id * 7 % 90) * 1000003 AS dst"))
    kept("SMALL_INTERMEDIATE")
    edges("same", rows("id % 90 * 1000003 AS src, id * 7 % 90 * 1000003 AS dst"))
    chosen()
  }

  test("inputs that do not grow, or have a key that is unique, are Spark's") {
    edges("thin", rows("(id % 900) * 1000 AS src, ((id * 7) % 901) * 1000 AS dst", 2000, files = 1))
    kept("SMALL_INTERMEDIATE")
    edges("few", rows(growing, 100))
    kept("UNKNOWN_DEGREES")
    edges("keyed", rows("id AS src, (id * 7) % 51 AS dst"))
    kept("UNKNOWN_DEGREES")
    edges("long",
      rows("concat(repeat('v', 200), id % 1950) AS src, concat('v', id % 51) AS dst", 2000,
        files = 1))
    kept("UNIQUE_KEY")
  }

  test("NULL meets nothing") {
    // Of 4,000 rows 100 have a source: joins of two make some 1,100 rows, and not millions.
    edges("holes", rows("if(id % 40 < 39, NULL, id % 7) AS src, id % 9 AS dst", files = 1))
    kept("SMALL_INTERMEDIATE")
    edges("nulls", rows("CAST(NULL AS INT) AS src, id % 9 AS dst"))
    assert(codesOf(Query).intersect(Seq("MULTIWAY_JOIN")).isEmpty)
  }

  test("no more files are looked into than are allowed, and each of them once") {
    val folder = edges("counted", rows(wide, files = 3))
    withConf(Footers -> "0")(kept("UNKNOWN_DEGREES"))
    withConf(Footers -> "2")(kept("UNKNOWN_DEGREES"))
    withConf(Footers -> "3")(chosen())
    spark.read.parquet(s"opened://$folder").createOrReplaceTempView("e")
    def opened(query: String): Int = {
      val plan = sql(query).queryExecution
      plan.analyzed
      OpenedFileSystem.opened.clear()
      plan.optimizedPlan
      OpenedFileSystem.opened.size
    }
    // For its footer, and for the dictionaries of each of two columns.
    assert(opened(Query) == 9)
    withConf(Footers -> "2")(assert(opened(Query) == 0))
    // Spark itself runs the rule twice in tests, where it has changed nothing.
    withConf(Dictionaries -> "100")(assert(opened(Query) == 6))
    withConf(Mode -> "force")(assert(opened(Query) == 0))
    for (other <- Seq(Query.replace("SELECT", "SELECT /*+ MULTIWAY */"),
        "SELECT count(*) FROM e a JOIN e b ON a.dst = b.src JOIN e c ON b.dst = c.src",
        s"$Query WHERE a.src < 1000",
        s"$Query JOIN (SELECT DISTINCT dst FROM e) d ON a.src = d.dst"))
      assert(opened(other) == 0, other)
  }

  test("a filter keeps nobody knows how many rows, one by folders those of the files in them") {
    edges("filtered", rows(growing))
    kept("UNKNOWN_DEGREES", Query.replace(" e a", " (SELECT * FROM e WHERE src < 30) a"))
    rows(s"$growing, id DIV 2 % 2 AS half", 8000).write.partitionBy("half").parquet(
      scratch("folders"))
    val halves = spark.read.parquet(scratch("folders"))
    halves.where("HALF = 1").createOrReplaceTempView("e")
    chosen()
    val sentence = reports(sql(Query)).head.reason.sentence
    assert(sentence.contains("rows of 12,000"), sentence)
    halves.where("half < src").createOrReplaceTempView("e")
    kept("UNKNOWN_DEGREES")
    // A column of folders as a key.
    rows(growing, files = 1).write.partitionBy("src").parquet(scratch("keys"))
    spark.read.parquet(scratch("keys")).createOrReplaceTempView("e")
    chosen()
  }

  test(
    "files that cannot be read, or do not have the column, tell nothing, and Spark says what it does") {
    val folder = edges("broken", rows(growing))
    val file = new File(folder).listFiles.filter(_.getName.endsWith(".parquet")).head
    val whole = Files.readAllBytes(file.toPath)
    def error(mode: String): String = withConf(Mode -> mode) {
      Iterator.iterate[Throwable](intercept[Exception](sql(Query).collect()))(_.getCause)
        .takeWhile(_ != null).map(_.getClass.getName).toSeq.last
    }
    new File(folder, s".${file.getName}.crc").delete()
    Files.write(file.toPath, whole.take(whole.length / 2))
    kept("UNKNOWN_DEGREES")
    assert(error("auto") == error("off"))
    Files.delete(file.toPath)
    kept("UNKNOWN_DEGREES")
    assert(error("auto") == error("off"))
    rows("id AS other, id % 50 AS src").write.parquet(scratch("columns"))
    rows(growing).write.mode("append").parquet(scratch("columns"))
    spark.read.schema("src BIGINT, dst BIGINT").parquet(scratch("columns")).createOrReplaceTempView(
      "e")
    kept("UNKNOWN_DEGREES")
  }

  test("other formats stay unknown") {
    for (format <- Seq("csv", "json", "orc")) {
      rows(growing).write.format(format).save(scratch(format))
      spark.read.format(format).schema("src BIGINT, dst BIGINT").load(scratch(format))
        .createOrReplaceTempView("e")
      kept("UNKNOWN_DEGREES")
    }
  }

  test("the log of a robust table tells rows and bounds") {
    def robust(columns: String): Unit = {
      rows(columns).write.format("colocate").mode("overwrite").save(scratch("robust"))
      spark.read.format("colocate").load(scratch("robust")).createOrReplaceTempView("e")
    }
    robust(growing)
    chosen()
    withConf(Footers -> "0")(kept("UNKNOWN_DEGREES"))
    withConf(Footers -> "1")(chosen())
    kept("UNKNOWN_DEGREES", Query.replace(" e a", " (SELECT * FROM e WHERE src < 30) a"))
    robust(wide)
    kept("UNKNOWN_DEGREES")
    robust(named)
    kept("UNKNOWN_DEGREES")
  }

  test("explaining reads as little as planning does") {
    edges("explained", rows(named))
    val (_, jobs) = countingJobs(sql(s"EXPLAIN FORMATTED $Query").collect())
    assert(jobs == 0)
  }
}

/** Notes which files are opened. */
class OpenedFileSystem extends RawLocalFileSystem {
  override def getScheme: String = "opened"
  override def getUri: URI = URI.create("opened:///")

  override def open(file: Path, buffer: Int): FSDataInputStream = {
    OpenedFileSystem.opened.add(file.getName)
    super.open(file, buffer)
  }
}

object OpenedFileSystem {
  val opened = new ConcurrentLinkedQueue[String]
}
