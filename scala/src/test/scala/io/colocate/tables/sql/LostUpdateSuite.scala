package io.colocate.tables.sql

import java.nio.file.{Files, Paths}
import java.util.concurrent.{CountDownLatch, Executors, TimeUnit}

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.functions.{col, udf}

import io.colocate.tables.operations.TableWriter

/** A write that replaces what it has read is refused where others have written since, and never wins. */
class LostUpdateSuite extends TableSession {

  private val pool = Executors.newFixedThreadPool(2)
  implicit private val context: ExecutionContext = ExecutionContext.fromExecutor(pool)

  override def afterAll(): Unit = {
    pool.shutdown()
    super.afterAll()
  }

  /** The rows of a table, which come once another writer is done; shuffled, as real jobs are. */
  private def slow(path: String, options: (String, String)*): DataFrame = {
    val pass = udf((id: Long) => Gate.pass(id))
    read(path, options: _*).withColumn("a", pass(col("a"))).repartition(3, col("b"))
  }

  private def meanwhile(path: String)(write: DataFrame => Unit)(other: => Unit): Try[Unit] =
    during(slow(path))(write)(other)

  /** Runs a write, and something else while its query runs. */
  private def during(rows: DataFrame)(write: DataFrame => Unit)(other: => Unit): Try[Unit] = {
    Gate.close()
    val writing = Future(write(rows))
    Gate.reached()
    try other
    finally Gate.open()
    Try(Await.result(writing, 120.seconds))
  }

  private def refused(result: Try[Unit]): Unit = result match {
    case Failure(e) => assert(e.getMessage.contains("COLOCATE_TABLE_CONCURRENT_CHANGE"), e)
    case Success(_) => fail("the write was committed, and has not seen the rows of the other one")
  }

  private val fresh10 = 1000

  private def appendTen(path: String): Unit = write(numbers(10, from = fresh10), path, "append")

  private def tenLeft(path: String): Boolean = read(path).where(s"a >= $fresh10").count() == 10

  test("overwrite by a query that reads the table, rows appended while it shuffles") {
    val path = create(numbers(100))
    refused(meanwhile(path)(write(_, path, "overwrite"))(appendTen(path)))
    assert(tenLeft(path) && read(path).count() == 110)
  }

  test("the same where nobody else writes is done") {
    val path = create(numbers(100))
    assert(meanwhile(path)(write(_, path, "overwrite"))(()).isSuccess)
    same(numbers(100), read(path))
  }

  private def compact(path: String): Unit =
    write(read(path).limit(0), path, "append", "operation" -> "compact")

  private def truncate(path: String): Unit =
    new TableWriter(spark.asInstanceOf[SparkSession], log(path)).truncate()

  test("rows appended while the table is truncated stay, whatever comes after them") {
    val cut = Seq("maxLeafRows" -> "10")
    def raced(): String = {
      val path = create(numbers(100), cut: _*)
      val other = create(numbers(40, from = fresh10))
      assert(during(slow(other))(write(_, path, "append"))(truncate(path)).isSuccess)
      same(numbers(40, from = fresh10), read(path))
      assert(log(path).snapshot().trees.nonEmpty)
      path
    }
    val replaced = raced()
    write(numbers(5), replaced, "overwrite", "replaceWhere" -> "a < 100")
    same(numbers(5).union(numbers(40, from = fresh10)), read(replaced))
    val appended = raced()
    // A tree of many leaves: the rows that were there are in none of them.
    write(numbers(200), appended, "append")
    val all = numbers(200).union(numbers(40, from = fresh10))
    same(all, read(appended))
    for (a <- 0 until 200 by 23)
      assert(read(appended).where(s"a = $a").count() == 1, a)
    for (a <- 0 until 40 by 5) assert(read(appended).where(s"a = ${fresh10 + a}").count() == 1, a)
    compact(appended)
    same(all, read(appended))
    val compacted = raced()
    compact(compacted)
    same(numbers(40, from = fresh10), read(compacted))
  }

  test("no two trees of a table have one number") {
    val path = create(numbers(100), "maxLeafRows" -> "10")
    val seen = (1 to 4).flatMap { _ =>
      truncate(path)
      write(numbers(100), path, "append")
      log(path).snapshot().trees.map(_.id)
    }
    assert(seen.distinct.length == seen.length, seen)
  }

  test("replaceWhere by a query that reads the table, rows appended that it would have replaced") {
    val path = create(numbers(100))
    refused(meanwhile(path)(write(_, path, "overwrite", "replaceWhere" -> "a >= 0"))(
        appendTen(path)))
    assert(tenLeft(path) && read(path).count() == 110)
  }

  test("replaceWhere passes by rows that it would not have replaced") {
    val path = create(numbers(100))
    val result =
      meanwhile(path)(write(_, path, "overwrite", "replaceWhere" -> "a < 500"))(appendTen(path))
    assert(result.isSuccess && tenLeft(path) && read(path).count() == 110)
  }

  test("another overwrite, a truncation and a new column are in the way too") {
    for (other <- Seq[String => Unit](write(numbers(3), _, "overwrite"),
        path => spark.sql(s"TRUNCATE TABLE t_of_${named(path)}"),
        path => spark.sql(s"ALTER TABLE t_of_${named(path)} ADD COLUMNS (n INT)"))) {
      val path = create(numbers(100))
      spark.sql(s"CREATE TABLE t_of_${named(path)} USING colocate LOCATION '$path'")
      refused(meanwhile(path)(write(_, path, "overwrite"))(other(path)))
      spark.sql(s"DROP TABLE t_of_${named(path)}")
    }
  }

  private def named(path: String): String = path.split("[^A-Za-z0-9]").last

  test("INSERT OVERWRITE by a query that reads the table is refused by Spark, and loses nothing") {
    val path = create(numbers(100))
    spark.sql(s"CREATE TABLE overwritten USING colocate LOCATION '$path'")
    read(path).createOrReplaceTempView("own_rows")
    val e = failure(spark.sql("INSERT OVERWRITE overwritten SELECT * FROM own_rows"))
    assert(e.getMessage.contains("UNSUPPORTED_OVERWRITE"))
    same(numbers(100), read(path))
    spark.sql("DROP TABLE overwritten")
  }

  test(
    "rows that were cached before others appended rest on the version that they were read from") {
    val path = create(numbers(100))
    val cached = read(path).where("b >= 0").cache()
    assert(cached.count() == 100)
    // By another path, so that this session's cache does not hear of it, as of another process.
    val link = fresh()
    Files.createSymbolicLink(Paths.get(link), Paths.get(path))
    appendTen(link)
    val result = Try(write(cached, path, "overwrite"))
    cached.unpersist()
    refused(result)
    assert(tenLeft(path))
  }

  test("an older version that is asked for may be restored, whatever came after it") {
    val path = create(numbers(100))
    appendTen(path)
    write(read(path, "version" -> "0"), path, "overwrite")
    same(numbers(100), read(path))
    appendTen(path)
    refused(during(slow(path, "version" -> "0"))(write(_, path, "overwrite"))(appendTen(path)))
    assert(read(path).where(s"a >= $fresh10").count() == 20)
  }

  test("an append of rows that are read from the table loses nothing, and needs no other try") {
    val path = create(numbers(100))
    assert(meanwhile(path)(write(_, path, "append"))(appendTen(path)).isSuccess)
    assert(tenLeft(path) && read(path).count() == 210)
  }
}

/** Where the rows of a slow query wait; in the JVM of the tests, where tasks run too. */
private object Gate {
  @volatile private var arrived = new CountDownLatch(1)
  @volatile private var opened = new CountDownLatch(1)

  def close(): Unit = {
    arrived = new CountDownLatch(1)
    opened = new CountDownLatch(1)
  }

  def reached(): Unit = assert(arrived.await(60, TimeUnit.SECONDS), "no row came")

  def open(): Unit = opened.countDown()

  def pass(id: Long): Long = {
    arrived.countDown()
    opened.await(60, TimeUnit.SECONDS)
    id
  }
}
