package io.colocate.multiway

import java.io.File
import java.nio.file.{Files, StandardCopyOption}

import scala.concurrent.duration.DurationInt
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.commons.io.FileUtils

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.FileSourceScanExec

import io.colocate.multiway.exec.{ColocateBroadcast, KeptRelations}
import io.colocate.testing.{EveryOther, Nightly}

/** What multiway joins broadcast serves later queries, as long as the files stay as they are. */
class KeptRelationsSuite extends MultiwaySession with EveryOther {

  private val Keep = "spark.colocate.multiway.keepBytes"

  private val List = s"SELECT a.src, b.src, c.dst $Triangle"

  private def rows(seed: Int, vertices: Int = 25, n: Int = 300): DataFrame = {
    val random = new Random(seed)
    val edges = Seq.fill(n)((random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))
    spark.createDataFrame(edges).toDF("src", "dst").coalesce(1)
  }

  /** Makes files so old that nobody is writing them any more; not all of the same time. */
  private def age(folder: String, minutes: Int = 60): Unit = {
    val written = System.currentTimeMillis() - minutes * 60 * 1000L
    FileUtils.listFiles(new File(folder), null, true).asScala
      .filter(f => minutes == 0 || f.lastModified > written)
      .foreach(f => assert(f.setLastModified(written)))
  }

  private def write(folder: String, seed: Int, mode: String = "overwrite"): Unit =
    writeRows(folder, rows(seed), mode)

  private def writeRows(folder: String, rows: DataFrame, mode: String): Unit = {
    rows.write.mode(mode).option("compression", "uncompressed")
      .option("parquet.enable.dictionary", "false").parquet(folder)
    age(folder)
  }

  private def read(folder: String): Unit =
    spark.read.parquet(folder).createOrReplaceTempView("e")

  /**
   * @param jobs  of the query
   * @param kept  broadcasts of a query before that it took
   * @param later rows that its broadcasts added to these
   * @param read  rows that its own broadcasts read
   * @param built bytes of the tries that it built
   */
  private case class Ran(
      rows: Seq[Row],
      plan: String,
      jobs: Int,
      kept: Long,
      later: Long,
      read: Long,
      built: Long)

  private def run(query: => DataFrame, settings: (String, String)*): Ran =
    withConf(Seq(Mode -> "force", Keep -> "64m") ++ settings: _*) {
      val ((frame, found), jobs) = countingJobs {
        val frame = query
        (frame, frame.collect().toSeq.sortBy(_.toString))
      }
      val broadcasts = collect(planOf(frame)) { case b: ColocateBroadcast => b }
      val scans = broadcasts.flatMap(collect(_) { case s: FileSourceScanExec => s })
      Ran(found, planOf(frame).toString, jobs, broadcasts.map(_.metrics("kept").value).sum,
        broadcasts.map(_.metrics("later").value).sum,
        scans.map(_.metrics("numOutputRows").value).sum,
        multiway(frame).map(_.metrics("buildSize").value).sum)
    }

  private def bySpark(query: => DataFrame): Seq[Row] =
    withConf(Mode -> "off")(query.collect().toSeq.sortBy(_.toString))

  /** The query twice, then what the second run kept; both have Spark's rows. */
  private def twice(query: => DataFrame, settings: (String, String)*): (Ran, Ran) = {
    val expected = bySpark(query)
    val (first, second) = (run(query, settings: _*), run(query, settings: _*))
    assert(expected.nonEmpty && first.rows == expected && second.rows == expected, second.plan)
    (first, second)
  }

  /** As [[twice]], where nothing may be kept. */
  private def neverKept(query: => DataFrame, settings: (String, String)*): Unit = {
    val (first, second) = twice(query, settings: _*)
    assert(first.plan.contains("ColocateMultiwayJoin"), first.plan)
    assert(second.kept == 0 && second.built > 0, second.plan)
  }

  for (adaptive <- Seq("true", "false"))
    test(s"the second query reads and builds nothing, adaptive execution $adaptive") {
      val folder = scratch(s"twice-$adaptive")
      write(folder, 1)
      read(folder)
      val settings = Seq("spark.sql.adaptive.enabled" -> adaptive)
      val (first, second) = twice(sql(List), settings: _*)
      assert(first.kept == 0 && first.read == 300 && first.built > 0, first.plan)
      assert(second.kept == 1 && second.read == 0 && second.built == 0, second.plan)
      assert(second.jobs == first.jobs - 1)
      assert(second.plan.contains(", kept from a query before"))
      assert(!first.plan.contains("kept from"))
      // The same relation in another order of its columns, for which other tries are built.
      val other = run(sql("SELECT a.src, b.dst, c.src FROM e a JOIN e b ON a.dst = b.src " +
          "JOIN e c ON b.dst = c.src AND a.src = c.dst"), settings: _*)
      assert(other.kept == 1 && other.read == 0 && other.built > 0, other.plan)
    }

  test("a file that comes, goes or changes gives the new rows") {
    val folder = scratch("changes")
    write(folder, 1)
    read(folder)
    val before = twice(sql(List))._2.rows
    write(folder, 2, "append")
    read(folder)
    val (appended, again) = twice(sql(List))
    assert(appended.kept == 1 && appended.later == 300 && again.kept == 1 && again.later == 0)
    assert(appended.rows != before)
    write(folder, 3)
    read(folder)
    val (overwritten, _) = twice(sql(List))
    assert(overwritten.kept == 0 && overwritten.rows != before)
  }

  for ((adaptive, i) <- Seq("true", "false").zipWithIndex)
    test(s"the rows of files that come are added to what is kept, adaptive execution $adaptive",
      Nightly.turn(i, every = 2): _*) {
      val setting = "spark.sql.adaptive.enabled" -> adaptive
      val folder = scratch(s"comes-$adaptive")
      writeRows(folder, rows(1, 90, 3000), "overwrite")
      read(folder)
      val others = keptBytes
      val first = run(sql(List), setting)
      val files = spark.read.parquet(folder).inputFiles.toSeq
      for (seed <- 2 to 5) {
        writeRows(folder, rows(seed, 95 + seed, 20), "append")
        read(folder)
        val (appended, again) = twice(sql(List), setting)
        assert(appended.kept == 1 && appended.later == 20 && appended.read == 0, appended.plan)
        assert(appended.plan.contains(", kept from a query before, and 20 rows more"))
        assert(appended.built > 0)
        assert(again.kept == 1 && again.later == 0 && again.built == 0, again.plan)
      }
      assert(keptBytes - others < 1.1 * 16 * 3080, "each row once")
      // Who reads an earlier state has its rows.
      spark.read.parquet(files: _*).createOrReplaceTempView("e")
      assert(twice(sql(List), setting)._1.rows == first.rows)
      // A file that is gone, or many that come, and nothing is taken over.
      read(folder)
      run(sql(List), setting)
      assert(dataFiles(folder).minBy(_.length).delete())
      read(folder)
      assert(twice(sql(List), setting)._1.kept == 0)
      writeRows(folder, rows(9, 900, 12000), "append")
      read(folder)
      assert(twice(sql(List), setting)._1.kept == 0)
    }

  private def dataFiles(folder: String): Seq[File] =
    new File(folder).listFiles.filter(_.getName.endsWith(".parquet")).toSeq

  private def dataFile(folder: String): File =
    dataFiles(folder) match {
      case Seq(only) => only
    }

  /** Puts the rows of another folder in the place of a file, which keeps its name and its length. */
  private def replace(folder: String, by: String, minutes: Int): Unit = {
    val (file, other) = (dataFile(folder), dataFile(by))
    assert(file.length == other.length)
    Files.copy(other.toPath, file.toPath, StandardCopyOption.REPLACE_EXISTING)
    new File(folder, s".${file.getName}.crc").delete()
    age(folder, minutes)
  }

  test("another file of the same name and length, and a listing that does not know of it") {
    val (folder, other) = (scratch("same-length"), scratch("other"))
    write(folder, 1)
    writeRows(other, rows(1).selectExpr("24 - src AS src", "24 - dst AS dst"), "overwrite")
    read(folder)
    val before = twice(sql(List))._2
    assert(before.kept == 1)
    replace(folder, other, minutes = 30)
    val stale = run(sql(List))
    assert(stale.kept == 0 && stale.rows == bySpark(sql(List)) && stale.rows != before.rows)
    read(folder)
    val (listed, again) = twice(sql(List))
    assert(listed.kept == 0 && again.kept == 1 && listed.rows == stale.rows)
  }

  test("a file that may still be changing, one that cannot be read, settings that are other ones") {
    val folder = scratch("young")
    write(folder, 1)
    age(folder, minutes = 0)
    read(folder)
    neverKept(sql(List))
    age(folder)
    read(folder)
    assert(twice(sql(List))._2.kept == 1)
    neverKept(sql(List), Keep -> "0")
    assert(run(sql(List), "spark.sql.parquet.filterPushdown" -> "false").kept == 0)
    neverKept(sql(List), "spark.sql.files.ignoreCorruptFiles" -> "true")
    assert(twice(sql(List))._2.kept == 1)
    FileUtils.deleteDirectory(new File(folder))
    intercept[org.apache.spark.SparkException](run(sql(List)))
  }

  test("filters and columns are part of what is kept") {
    val folder = scratch("filters")
    write(folder, 1)
    read(folder)
    def below(n: Int) = sql(s"$List WHERE b.src < $n")
    assert(twice(below(20))._2.kept > 0)
    // The relation with the filter is another one.
    assert(run(below(10)).rows == bySpark(below(10)))
    assert(run(below(10)).rows != run(below(20)).rows)
    assert(twice(sql(s"SELECT a.src + 1 AS n, c.dst $Triangle"))._2.kept == 1)
  }

  test(
    "what nobody can be sure of is not kept: caches, functions of users, subqueries, rows without files") {
    val folder = scratch("unsure")
    write(folder, 1)
    read(folder)
    spark.udf.register("even", (x: Long) => x % 2 == 0)
    def over(rows: String) = sql("SELECT a.src, b.src, c.dst FROM e a JOIN " +
      s"(SELECT * FROM $rows) b ON a.dst = b.src JOIN (SELECT * FROM $rows) c " +
      "ON b.dst = c.dst AND a.src = c.src")
    for (unsure <- Seq("e WHERE even(dst)", "e WHERE dst < (SELECT max(src) FROM e)",
        "(SELECT DISTINCT * FROM e)"))
      neverKept(over(unsure))
    assert(twice(over("e WHERE dst % 2 = 0"))._2.kept > 0)
    spark.table("e").cache()
    try neverKept(sql(List))
    finally spark.table("e").unpersist()
    rows(1).createOrReplaceTempView("e")
    neverKept(sql(List))
  }

  test("partitions are told apart by their values, robust tables by their files") {
    val folder = scratch("partitions")
    rows(1).selectExpr("*", "IF(src + dst < 22, 0, 1) AS p").write.partitionBy("p").parquet(folder)
    age(folder)
    def in(p: Int) = spark.read.parquet(folder).where(s"p = $p")
    val found = for (p <- Seq(0, 1)) yield {
      in(p).createOrReplaceTempView("e")
      twice(sql(s"SELECT a.src, b.src, c.dst, b.p $Triangle"))._2
    }
    assert(found.map(_.kept > 0) == Seq(true, true) && found.head.rows != found.last.rows)
    val table = scratch("robust")
    rows(1).write.format("colocate").option("joinKey", "src").save(table)
    age(s"$table")
    def robust(): DataFrame = {
      spark.read.format("colocate").load(table).createOrReplaceTempView("e")
      sql(List)
    }
    val before = twice(robust())._2
    rows(2).write.format("colocate").mode("append").save(table)
    assert(twice(robust())._1.rows != before.rows)
  }

  for ((name, state) <- Seq("robust tables grow" -> "colocate.`%s`",
      "changes of robust tables grow" -> "colocate_table_changes('%s')"))
    test(s"$name by what is appended, at once") {
      val table = scratch(name.replace(" ", "-"))
      rows(1, 90, 3000).write.format("colocate").option("joinKey", "src").save(table)
      def asked(): DataFrame = {
        sql(s"SELECT src, dst FROM ${state.format(table)}").createOrReplaceTempView("e")
        sql(List)
      }
      assert(twice(asked())._2.kept == 1)
      for (seed <- 2 to 4) {
        rows(seed, 99, 15).write.format("colocate").mode("append").save(table)
        val (appended, again) = twice(asked())
        assert(appended.kept == 1 && appended.later == 15 && again.later == 0, appended.plan)
      }
      val some = spark.read.format("colocate").load(table).where("src <> 3")
      some.write.format("colocate").mode("overwrite").save(table)
      assert(twice(asked())._1.later == 0)
    }

  private def keptBytes: Long = KeptRelations.bytes(spark.sparkContext)

  test("the one that nobody asked for the longest time goes first, and all if the limit is 0") {
    val folders = (1 to 3).map(i => scratch(s"lru-$i"))
    folders.zipWithIndex.foreach { case (folder, i) => write(folder, i) }
    def over(i: Int, limit: String) = {
      read(folders(i))
      run(sql(List), Keep -> limit)
    }
    over(0, "0")
    assert(keptBytes == 0)
    assert(over(0, "1m").kept == 0)
    val one = keptBytes
    assert(one > 4800 && one < 10000)
    val two = (2 * one + one / 2).toString
    assert(over(1, two).kept == 0 && keptBytes == 2 * one)
    assert(over(0, two).kept == 1, "the last that was asked for")
    assert(over(2, two).kept == 0 && keptBytes == 2 * one)
    assert(over(0, two).kept == 1 && over(2, two).kept == 1)
    assert(over(1, two).kept == 0 && over(0, two).kept == 0, "each in the place of another one")
    assert(over(0, "10").kept == 1 && keptBytes == 0)
    assert(over(0, "10").kept == 0 && keptBytes == 0, "it does not fit")
  }

  test("an executor that has lost a relation, or what it built of it, gets it again") {
    val folder = scratch("lost")
    write(folder, 1)
    read(folder)
    val (_, second) = twice(sql(List))
    assert(second.kept == 1 && second.built == 0)
    KeptRelations.unpersist(spark.sparkContext)
    val lost = run(sql(List))
    assert(lost.kept == 1 && lost.rows == second.rows)
  }

  test("nothing is kept of a session that has ended") {
    val folder = scratch("ended")
    write(folder, 1)
    read(folder)
    run(sql(List))
    val context = spark.sparkContext
    assert(KeptRelations.bytes(context) > 0)
    spark.stop()
    eventually(timeout(20.seconds))(assert(KeptRelations.bytes(context) == 0))
  }
}
