package io.colocate.tables.sql

import java.nio.file.{Files, Paths}
import java.nio.file.attribute.FileTime
import java.time.Instant
import java.util.concurrent.CountDownLatch

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.util.Try

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, lit, udf}

import io.colocate.tables.format.DataFileName
import io.colocate.testing.EveryOther

/** Readers that hold a version, writers that race, and what compaction and vacuum leave. */
class VersionsSuite extends TableSession with EveryOther {

  test("an older version is read by number and by time") {
    val path = create(numbers(10))
    val between = log(path).snapshot().info.time
    write(numbers(10, from = 10), path, "append")
    same(numbers(10), read(path, "version" -> "0"))
    val when = new java.sql.Timestamp(between).toInstant.toString
    same(numbers(10), read(path, "timestamp" -> when))
    same(numbers(20), read(path))
  }

  test("all scans of a query see one version, those of its subqueries too") {
    val path = create(numbers(100))
    read(path).createOrReplaceTempView("t")
    val query =
      sql("SELECT a FROM t WHERE a = (SELECT max(a) FROM t) OR b IN (SELECT b FROM t WHERE c = 4)")
    val versions = scans(query).map(_.version)
    assert(versions.length >= 2 && versions.distinct == Seq(0L))
  }

  test("a query that is planned keeps its version while others write") {
    val path = create(numbers(100))
    val query = planned(path)
    write(numbers(100), path, "overwrite")
    write(numbers(50), path, "append")
    same(numbers(100), query)
    assert(read(path).count() == 150)
  }

  test("a query that is planned keeps its rows while some of them are replaced") {
    val path = create(numbers(1000), "maxLeafRows" -> "100")
    val query = planned(path)
    write(numbers(10), path, "overwrite", "replaceWhere" -> "a < 500")
    same(numbers(1000), query)
    same(numbers(10).union(numbers(500, from = 500)), read(path))
  }

  test("a query that is planned keeps its rows while the table is truncated") {
    val path = create(numbers(100))
    sql(s"CREATE TABLE pinned_truncated USING colocate LOCATION '$path'")
    val query = planned(path)
    sql("TRUNCATE TABLE pinned_truncated")
    same(numbers(100), query)
    same(numbers(0), read(path))
  }

  test("a query that is planned keeps its columns while others are added") {
    val path = create(numbers(100))
    sql(s"CREATE TABLE pinned_widened USING colocate LOCATION '$path'")
    val query = planned(path)
    sql("ALTER TABLE pinned_widened ADD COLUMNS (d STRING)")
    sql("INSERT INTO pinned_widened VALUES (100, 1, 2, 'x', 'y')")
    assert(query.columns.toSeq == numbers(0).columns.toSeq)
    same(numbers(100), query)
    assert(read(path).where("d = 'y'").count() == 1 && read(path).count() == 101)
  }

  test("a vacuum keeps the files of a planned query within the retention, and not beyond") {
    val path = create(numbers(500), "maxLeafRows" -> "100")
    val orphan = Paths.get(path, DataFileName(0, "-c000.snappy.parquet"))
    Files.writeString(orphan, "x")
    Files.setLastModifiedTime(orphan, FileTime.from(Instant.now().minusSeconds(8 * 24 * 3600)))
    val (within, beyond) = (planned(path), planned(path))
    write(numbers(100), path, "overwrite")
    write(numbers(0), path, "append", "operation" -> "vacuum")
    assert(log(path).snapshot().info.operation == "VACUUM" && !Files.exists(orphan))
    same(numbers(500), within)
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      Thread.sleep(20)
      write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    val e = failure(beyond.collect()).getCause
    assert(
      e.getMessage.contains("DATA_FILE_MISSING") && e.getMessage.contains("a vacuum removed it"))
    same(numbers(100), read(path))
  }

  test("a table that was named before a write shows the newest version to the next query") {
    val path = create(numbers(10))
    val table = read(path)
    assert(table.count() == 10)
    write(numbers(5, from = 10), path, "append")
    assert(table.count() == 15)
  }

  test("cached rows are read again after a write of this session") {
    val path = create(numbers(10))
    val table = read(path).cache()
    assert(table.count() == 10)
    write(numbers(5, from = 10), path, "append")
    assert(read(path).count() == 15)
    table.unpersist()
  }

  test("appends at the same time are all kept, each once") {
    val path = create(numbers(1000), "maxLeafRows" -> "200")
    appendsAtTheSameTime(path)
    same(appended.foldLeft(numbers(1000))(_ union _), read(path))
    assert(version(path) == 8)
  }

  test("first appends at the same time go into one tree, of which each copy is whole") {
    for (replicas <- Seq("1", "2")) {
      val path = fresh()
      sql(s"CREATE TABLE first_$replicas (a BIGINT, b BIGINT, c INT, s STRING) USING colocate" +
        s" OPTIONS (replicas '$replicas', maxLeafRows '50') LOCATION '$path'")
      appendsAtTheSameTime(path)
      same(appended.reduce(_ union _), read(path))
      val snapshot = log(path).snapshot()
      assert(snapshot.version == 8 && snapshot.trees.length == replicas.toInt)
      for (tree <- snapshot.trees)
        assert(snapshot.files.filter(_.treeId == tree.id).map(_.rows).sum == 800)
    }
  }

  /** Replaces rows with a below 100, while which others append rows. */
  private def replaceDuringAppend(path: String, appended: DataFrame): Try[Unit] = {
    implicit val context: ExecutionContext = ExecutionContext.global
    Meanwhile.begin()
    val waiting = udf { (a: Long) => Meanwhile.pause(); a }
    val rows = spark.range(0, 50, 1, 1).select(waiting(col("id")).as("a"), lit(1L).as("b"),
      lit(2).as("c"), lit("new").as("s"))
    val replaced = Future(write(rows, path, "overwrite", "replaceWhere" -> "a < 100"))
    Meanwhile.awaitPause()
    try write(appended, path, "append")
    finally Meanwhile.end()
    Try(Await.result(replaced, 60.seconds))
  }

  test("rows that others append elsewhere are not in the way of replaceWhere") {
    val path = create(numbers(2000), "maxLeafRows" -> "100")
    assert(replaceDuringAppend(path, numbers(30, from = 2000)).isSuccess)
    assert(read(path).where("s = 'new'").count() == 50)
    same(numbers(2030).where("a >= 100"), read(path).where("a >= 100"))
  }

  test("rows that others append where rows are replaced are in the way") {
    val path = create(numbers(2000), "maxLeafRows" -> "100")
    val failed = replaceDuringAppend(path, numbers(30, from = 60)).failed.get
    assert(failed.toString.contains("COLOCATE_TABLE_CONCURRENT_CHANGE"))
    same(numbers(2000).union(numbers(30, from = 60)), read(path))
  }

  test("rows that others append to a table without rows are in the way of replaceWhere") {
    val path = fresh()
    sql(s"CREATE TABLE filled_twice (a BIGINT, b BIGINT, c INT, s STRING) USING colocate" +
      s" LOCATION '$path'")
    val failed = replaceDuringAppend(path, numbers(30)).failed.get
    assert(failed.toString.contains("COLOCATE_TABLE_CONCURRENT_CHANGE"))
    same(numbers(30), read(path))
  }

  test("compaction gathers small files, keeps the rows, and does not disturb an append") {
    val path = create(numbers(2000), "maxLeafRows" -> "500")
    (1 to 5).foreach(i => write(numbers(50, from = 2000 + 50 * i), path, "append"))
    val before = log(path).snapshot()
    val pinned = planned(path)
    write(numbers(0), path, "append", "operation" -> "compact")
    val after = log(path).snapshot()
    assert(after.files.length < before.files.length / 2)
    assert(after.files.flatMap(_.leaf).distinct.length == after.files.length)
    assert(after.files.totalRows == before.files.totalRows)
    same(read(path, "version" -> before.version.toString), read(path))
    same(read(path), pinned)
    assert(after.info.operation == "COMPACT")
    write(numbers(0), path, "append", "operation" -> "compact")
    assert(version(path) == after.version, "nothing to gather is no version")
  }

  test("compaction and vacuum refuse rows, which they would not write") {
    val path = create(numbers(100))
    for (operation <- Seq("compact", "vacuum")) {
      val e = failure(write(numbers(5), path, "append", "operation" -> operation))
      Seq("COLOCATE_TABLE_INVALID_OPTION", s"operation is '$operation'", "df.limit(0)").foreach(
        part => assert(e.getMessage.contains(part), e))
    }
    assert(version(path) == 0)
    same(numbers(100), read(path))
    write(numbers(5, from = 100), path, "append")
    write(read(path).limit(0), path, "append", "operation" -> "compact")
    assert(log(path).snapshot().info.operation == "COMPACT")
    write(read(path).where("a < 0"), path, "append", "operation" -> "vacuum")
    same(numbers(105), read(path))
  }

  test("compaction of replicas keeps each copy whole") {
    val path = create(numbers(2000), "replicas" -> "2", "maxLeafRows" -> "300")
    (1 to 3).foreach(i => write(numbers(40, from = 2000 + 40 * i), path, "append"))
    val expected = read(path).collect().map(_.toString).sorted.toSeq
    write(numbers(0), path, "append", "operation" -> "compact")
    val after = log(path).snapshot()
    assert(after.info.operation == "COMPACT")
    for (tree <- after.trees)
      assert(after.files.filter(_.treeId == tree.id).map(_.rows).sum == 2120, tree.id)
    assert(read(path).collect().map(_.toString).sorted.toSeq == expected)
    for (condition <- Seq("a < 50", "b = 17", "c = 7", "s = 'name-3'")) {
      same(read(path, "version" -> "3").where(condition), read(path).where(condition))
    }
  }

  test("vacuum removes what no version needs, and nothing else") {
    val path = create(numbers(500), "maxLeafRows" -> "100")
    write(numbers(100), path, "overwrite")
    val live = log(path).snapshot().files.map(_.path).toSet
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      Thread.sleep(20)
      write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    assert(dataFiles(path).map(_.getFileName.toString).toSet == live)
    same(numbers(100), read(path))
    val e = failure(read(path, "version" -> "0").count())
    assert(e.getMessage.contains("VACUUMED"))
  }

  test("a vacuum with too short a retention is refused while others may write") {
    val path = create(numbers(10))
    val e =
      failure(write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0"))
    assert(e.getMessage.contains("RETENTION_TOO_SHORT"))
  }

  test("a write that fails in the middle leaves the table as it was, and no file") {
    val path = create(numbers(1000), "maxLeafRows" -> "200")
    val before = dataFiles(path).toSet
    val bad = spark.range(1000)
      .selectExpr("IF(id = 999, raise_error('stop'), id) AS a", "1L AS b", "1 AS c", "'x' AS s")
    assert(Try(write(bad, path, "append")).isFailure)
    assert(version(path) == 0 && dataFiles(path).toSet == before)
    same(numbers(1000), read(path))
  }

  test("a first save that fails leaves an empty folder, and can be done again") {
    val path = fresh()
    val bad = numbers(1000).selectExpr("IF(a = 999, raise_error('stop'), a) AS a")
    assert(Try(write(bad, path, "error")).isFailure)
    assert(Option(Paths.get(path).toFile.list()).forall(_.isEmpty))
    write(numbers(10), path, "error")
    same(numbers(10), read(path))
  }

  test("a file that somebody deleted is named") {
    val path = create(numbers(100))
    val file = dataFiles(path).head
    Files.delete(file)
    val e = failure(read(path).collect())
    assert(e.getMessage.contains(file.getFileName.toString))
    assert(e.getCause.getMessage.contains("COLOCATE_TABLE_DATA_FILE_MISSING"))
    assert(e.getCause.getMessage.contains("of version 0"))
    withConf("spark.sql.files.ignoreMissingFiles" -> "true") {
      assert(read(path).collect().length < 100, "as in Spark's own formats")
    }
  }
}

/** Lets a task wait in the middle of its rows; in the JVM of the test. */
private object Meanwhile {
  @volatile private var paused, go = new CountDownLatch(1)

  def begin(): Unit = {
    paused = new CountDownLatch(1)
    go = new CountDownLatch(1)
  }

  def pause(): Unit = {
    paused.countDown()
    go.await()
  }

  def awaitPause(): Unit = paused.await()

  def end(): Unit = go.countDown()
}
