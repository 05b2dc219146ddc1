package io.colocate.tables.queries

import java.nio.file.{Files, Paths}
import java.util.concurrent.Executors

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._

import org.apache.hadoop.fs.Path
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

import io.colocate.tables.pruning.{Conjunct, PredicateCompiler}
import io.colocate.tables.sql.TableSession

/** The queries of a table, in files beside it. */
class QueryFilesSuite extends TableSession with Eventually {

  implicit override val patienceConfig: PatienceConfig =
    PatienceConfig(timeout = Span(30, Seconds), interval = Span(100, Millis))

  private val recorded = "adapt" -> "record"

  private def conf = spark.sessionState.newHadoopConf()

  private def files(path: String) = new QueryFiles(new Path(path), conf)

  private def names(path: String): Seq[String] =
    Option(Paths.get(path, QueryFiles.Folder).toFile.list).fold(Seq.empty[String])(_.toSeq)
      .filter(_.endsWith(".gz")).sorted

  private def known(path: String): KnownQueries = AskedQueries.of(log(path).path, conf)

  private def queries(path: String) = spark.sql(s"SELECT * FROM colocate_table_queries('$path')")

  test("queries of a table that records them outlive the driver, and each counts once") {
    val path = create(numbers(1000), recorded)
    (0 until 40).foreach(i => listed(read(path).where(s"b >= $i AND b < ${i + 9}")))
    assert(known(path).queries.length == 40)
    assert(names(path).nonEmpty)
    AskedQueries.forgetAll()
    val later = known(path)
    assert(later.queries.length == 40 && later.queries.forall(q => later.stored(q.id)))
    assert(later.queries.map(_.time) == later.queries.map(_.time).sorted)
    read(path).where("b = 77").collect()
    assert(known(path).queries.length == 41)
    assert(queries(path).where("stored").count() == 41)
  }

  test("of a table that does not, nothing is written") {
    val path = create(numbers(1000))
    (0 until 40).foreach(i => listed(read(path).where(s"b = $i")))
    assert(known(path).queries.length == 40 && names(path).isEmpty)
    val recording = create(numbers(1000), recorded)
    withConf("spark.colocate.adapt.record" -> "false") {
      (0 until 40).foreach(i => listed(read(recording).where(s"b = $i")))
    }
    assert(known(recording).queries.length == 40 && names(recording).isEmpty)
  }

  test("what is read from a file means what was written") {
    val path = create(numbers(2000), recorded, "maxLeafRows" -> "100")
    val filters = Seq("a < 5 OR b > 900", "s LIKE 'name-1%'", "c IS NULL",
      "c IS NOT NULL AND NOT (b <= 3)", "b IN (1, NULL, 900)", "c <=> 7",
      "CAST(a AS BIGINT) + 0 < 9 OR c = 3", "CAST(c AS DOUBLE) <= 4.5",
      s"b IN (${(0 to 400).mkString(", ")})", "a % 7 = 3", "a < 100 AND rand() < 0.5",
      "b = (SELECT 5)", "a < b", "s = 'quote '' and \\\\ and \u00e9'")
    filters.foreach(filter => listed(read(path).where(filter)))
    val before = known(path).queries
    AskedQueries.forgetAll()
    val after = known(path).queries
    assert(before == after && after.length == filters.length)
    // The files that it would read are those that it has read.
    val schema = log(path).snapshot().schema
    val rows = after.map { query =>
      val snapshot = log(path).snapshot()
      val conjuncts = Conjunct.of(query.predicates, PredicateCompiler.byName(schema))
      val stats =
        new io.colocate.tables.scan.SnapshotStats(snapshot, snapshot.files.indices.toArray)
      io.colocate.tables.pruning.PrunedFiles(stats, snapshot.tree, conjuncts).keptRows
    }
    assert(rows == after.map(_.rows))
    assert(after.count(_.predicates.exists(_.exists(_ == AskedPredicate.Unknown))) >= 2)
  }

  test("all types that can be cut") {
    val path = create(
      spark.sql("SELECT id, id % 2 = 0 AS flag, CAST(id AS DECIMAL(12, 3)) AS amount," +
        " CAST(id AS DOUBLE) AS d, CAST(id AS FLOAT) AS f, date_add(DATE'2020-01-01', CAST(id AS INT)) AS day," +
        " timestamp_seconds(id * 3600) AS time, CAST(timestamp_seconds(id) AS TIMESTAMP_NTZ) AS local," +
        " CAST(CAST(id AS STRING) AS BINARY) AS bin, CAST(id AS TINYINT) AS tiny FROM range(100)"),
      recorded)
    val filters = Seq("flag", "amount >= 7.125", "d > 3.5", "f < 4.25", "day >= DATE'2020-02-01'",
      "time < TIMESTAMP'1970-01-02 03:04:05.678'", "local > TIMESTAMP_NTZ'1970-01-01 00:00:09'",
      "bin = X'3737'", "tiny <= 3", "d <> double('NaN')", "d = -0.0", "isnan(d)")
    filters.foreach(filter => listed(read(path).where(filter)))
    val before = known(path).queries
    AskedQueries.forgetAll()
    assert(known(path).queries == before && before.length == filters.length)
    assert(!before.exists(_.predicates.contains(AskedPredicate.Unknown)))
  }

  test("a damaged file, one of a newer release, and others are passed over, and said") {
    val path = create(numbers(500), recorded)
    read(path).where("b = 1").collect()
    assert(known(path).queries.length == 1)
    val folder = Paths.get(path, QueryFiles.Folder)
    def name(i: Int) = f"$i%013d-00000000-0000-0000-0000-00000000000$i%d.json.gz"
    Files.write(folder.resolve(name(1)), "no gzip".getBytes)
    val whole = Files.readAllBytes(folder.resolve(names(path).last))
    Files.write(folder.resolve(name(2)), whole.take(whole.length / 2))
    val newer = new java.io.ByteArrayOutputStream
    val gzip = new java.util.zip.GZIPOutputStream(newer)
    gzip.write("{\"formatVersion\": 2}\n{}\n".getBytes)
    gzip.close()
    Files.write(folder.resolve(name(3)), newer.toByteArray)
    Files.write(folder.resolve("notes.txt"), "of somebody else".getBytes)
    assert(known(path).queries.length == 1)
    assert(known(path).damaged.toSet == (1 to 3).map(name).toSet)
    assert(queries(path).where("note LIKE '%damaged%'").count() == 3)
    assert(queries(path).where("note IS NULL").count() == 1)
    spark.sql(s"SELECT * FROM colocate_table_queries('$path', forget => true)").collect()
    assert(names(path).isEmpty && known(path).queries.isEmpty && known(path).damaged.isEmpty)
    assert(Files.exists(folder.resolve("notes.txt")))
  }

  test("there are never more than a few files, and the oldest go first") {
    val path = create(numbers(100))
    val store = files(path)
    def query(time: Long) =
      AskedQuery(time, 0, Nil, 1, Set("a"), 1, AskedQuery.Id("driver", time))
    (1 to QueryFiles.MostFiles + 10).foreach(i => store.write(Seq(query(i))))
    assert(names(path).length == QueryFiles.MostFiles)
    assert(store.read().queries.map(_.time) == (11 to QueryFiles.MostFiles + 10).map(_.toLong))
  }

  test("a folder that cannot be written: queries stay in memory, which is said, and none fails") {
    val path = create(numbers(500), recorded)
    // Where the folder should be is a file, which nobody may write into, not even root.
    Files.write(Paths.get(path, QueryFiles.Folder), "taken".getBytes)
    (0 until 40).foreach(i =>
      assert(read(path).where(s"b = $i").count() == numbers(500).where(s"b = $i").count()))
    assert(known(path).queries.length == 40 && known(path).refused.nonEmpty)
    assert(queries(path).where("note LIKE '%stay in memory%'").count() == 1)
  }

  test("many queries of many threads: none of the newest is lost, and equal ones are one record") {
    val path = create(numbers(500), recorded)
    val pool = Executors.newFixedThreadPool(8)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val all = (0 until 200).map(i => Future(listed(read(path).where(s"a >= $i"))))
      Await.result(Future.sequence(all), 300.seconds)
      (0 until 20).foreach(_ => listed(read(path).where("b = 5")))
    } finally pool.shutdown()
    AskedQueries.of(log(path).path, conf)
    AskedQueries.forgetAll()
    val found = known(path).queries
    assert(found.map(_.id).distinct.length == found.length)
    assert(found.map(_.count).sum == 220 && found.length < 215)
    assert(names(path).length <= QueryFiles.MostFiles)
  }

  test("Spark, compacting and a vacuum do not see the files, and a drop removes them") {
    val path = create(numbers(500), recorded)
    read(path).where("b = 1").collect()
    assert(known(path).stored.size == 1)
    same(numbers(500), read(path))
    spark.range(0).write.format("colocate").mode("append").option("operation", "compact").save(path)
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      spark.range(0).write.format("colocate").mode("append").option("operation", "vacuum")
        .option("retentionHours", "0").save(path)
    }
    assert(names(path).length == 1)
  }

  test("queries of a table that was dropped since do not bring its folder back") {
    spark.sql(
      "CREATE TABLE dropped USING colocate OPTIONS (adapt 'record') AS SELECT id AS a FROM range(10)")
    val path = spark.sql("SELECT path FROM colocate_table_path('dropped')").head().getString(0)
    spark.table("dropped").where("a = 3").collect()
    spark.sql("DROP TABLE dropped")
    AskedQueries.of(new Path(path), conf)
    assert(!new Path(path).getFileSystem(conf).exists(new Path(path)))
  }

  test(
    "queries that come after others were forgotten are written too, and the others do not come back") {
    val path = create(numbers(500), recorded)
    def ask(from: Int, count: Int): Unit =
      (from until from + count).foreach(i => listed(read(path).where(s"b = $i")))
    ask(0, 5)
    AskedQueries.forget(log(path).path, conf)
    ask(100, QueryRecorder.Enough)
    eventually(assert(files(path).read().queries.length == QueryRecorder.Enough))
    assert(!known(path).queries.exists(_.predicates.toString.contains("= 3)")))
  }

  test("secrets are not kept, nor values that are too long") {
    val path = create(numbers(500), recorded)
    withConf("spark.sql.redaction.string.regex" -> "name-4.") {
      read(path).where("s = 'name-42'").collect()
      read(path).where("s = 'name-52'").collect()
    }
    read(path).where(s"s = '${"x" * 5000}'").collect()
    val text = known(path).queries.map(_.predicates.toString).mkString
    assert(!text.contains("name-42") && text.contains("name-52") && !text.contains("xxx"))
  }

  test("the option is changed by a version of its own, and refuses what there is not") {
    val path = create(numbers(100))
    def set(mode: String) =
      spark.sql(s"SELECT version FROM colocate_set_adapt('$path', '$mode')").head()
    assert(set("record").getLong(0) == 1 && set("RECORD").isNullAt(0))
    read(path).where("b = 1").collect()
    assert(known(path).stored.size == 1)
    write(numbers(10, from = 200), path, "append")
    assert(AdaptMode.of(log(path).snapshot().metadata.options) == "record")
    same(numbers(100).union(numbers(10, from = 200)), read(path))
    assert(failure(set("sometimes")).getMessage.contains("off, record, auto"))
    assert(failure(create(numbers(10), "adapt" -> "yes")).getMessage.contains("off, record, auto"))
  }
}
