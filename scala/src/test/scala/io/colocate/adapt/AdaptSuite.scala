package io.colocate.adapt

import java.util.concurrent.{CountDownLatch, Executors}

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.SQLExecution

import io.colocate.adapt.ledger.{LedgerFiles, LedgerJson}
import io.colocate.tables.queries.AskedQueries
import io.colocate.tables.sql.TableSession

/** Tables that follow what is asked of them, with real files. */
class AdaptSuite extends TableSession {

  /** Without regard to what older versions need. */
  private val eager = AdaptOptions(budget = 1, writeCost = Some(1), space = 100)

  private def adapted(path: String, options: AdaptOptions = eager): AdaptReport =
    inQuery(path, options)(_())

  private def wouldAdapt(path: String): AdaptReport = inQuery(path, eager)(_.planned())

  private def inQuery(path: String, options: AdaptOptions)(run: Adapt => AdaptReport): AdaptReport =
    SQLExecution.withNewExecutionId(numbers(0).queryExecution)(
      run(new Adapt(spark.asInstanceOf[SparkSession], log(path), options)))

  private def table(): String = tableOf(numbers(8000))

  private def tableOf(rows: DataFrame, options: (String, String)*): String =
    create(rows, ("maxLeafRows" -> "200") +: options: _*)

  private def ask(path: String, filters: Seq[String]): Unit =
    filters.foreach(filter => listed(read(path).where(filter)))

  /** Narrow ranges of one column. */
  private def ranges(count: Int): Seq[String] =
    (0 until count).map(i => s"b >= ${i * 37 % 970} AND b < ${i * 37 % 970 + 15}")

  private def readShare(path: String, filters: Seq[String]): Double = {
    val scans = filters.map(filter => scan(read(path).where(filter)))
    scans.map(_.keptRows.toDouble).sum / scans.map(_.rows.toDouble).sum
  }

  test("queries by one column: the table is cut by it, and keeps its rows") {
    val path = table()
    ask(path, ranges(20))
    val before = readShare(path, ranges(25))
    val dry = wouldAdapt(path)
    assert(version(path) == 0)
    val report = adapted(path)
    assert(report.version.contains(1L) && report.reason.isEmpty)
    assert(dry == report.copy(version = None))
    // Also for five that it had not seen.
    assert(readShare(path, ranges(25)) < before / 2)
    assert((readShare(path, ranges(20)) - report.readShareAfter).abs < 0.05)
    same(numbers(8000), read(path))
    ranges(4).foreach(filter => same(numbers(8000).where(filter), read(path).where(filter)))
    same(numbers(8000), read(path, "version" -> "0"))
    assert(log(path).history.next().info.operation == "ADAPT")
  }

  test("once adapted it stays, until there are new queries of another kind") {
    val path = table()
    ask(path, ranges(20))
    assert(adapted(path).version.contains(1L))
    assert(adapted(path).version.isEmpty)
    ask(path, ranges(20))
    assert(adapted(path).version.isEmpty)
    ask(path, (0 until 20).map(i => s"a >= ${i * 400} AND a < ${i * 400 + 100}"))
    val again = adapted(path)
    assert(again.version.contains(2L))
    same(numbers(8000), read(path))
  }

  test("a price above what was read is not paid") {
    val path = table()
    ask(path, ranges(20))
    val report = adapted(path, AdaptOptions(budget = 1, writeCost = Some(50)))
    assert(report.version.isEmpty && report.reason.map(_.code.name).contains("ADAPT_PRICE"))
    assert(report.rewritten == 0 && report.readShareAfter == report.readShare)
  }

  test("queries that have nothing in common move nothing") {
    val path = tableOf(spark.range(8000).selectExpr("id AS a", "hash(id, 1) AS b",
      "hash(id, 2) AS c", "hash(id, 3) AS d", "hash(id, 4) AS e", "hash(id, 5) AS f"))
    // Each column once, so that no query is like one before.
    ask(path, Seq("a = 77", "b > 2100000000", "c > 2100000000", "d > 2100000000", "e > 2100000000"))
    val report = adapted(path)
    assert(report.version.isEmpty)
    assert(Set("ADAPT_NOT_REPEATED", "ADAPT_PRICE").contains(report.reason.get.code.name))
  }

  test("a budget is kept, and the best part is taken") {
    val path = table()
    ask(path, ranges(20))
    val report = adapted(path, AdaptOptions(budget = 0.3, writeCost = Some(1)))
    assert(report.version.nonEmpty && report.rewritten <= 2400)
    same(numbers(8000), read(path))
    val kept =
      log(path).snapshot(0).files.map(_.path).toSet & log(path).snapshot().files.map(_.path).toSet
    assert(kept.nonEmpty)
  }

  test("without queries, or with a few, nothing is done") {
    val path = table()
    assert(adapted(path).reason.exists(_.code.name == "ADAPT_TOO_FEW_QUERIES"))
    // Neither reads rows by a filter.
    read(path).collect()
    read(path).where("b = 1").explain()
    assert(adapted(path).queries == 0)
    ask(path, ranges(3))
    assert(adapted(path).reason.exists(_.code.name == "ADAPT_TOO_FEW_QUERIES"))
  }

  test("a table of one leaf, and one with replicas, stay") {
    val small = create(numbers(100))
    ask(small, ranges(10))
    assert(adapted(small).reason.exists(_.code.name == "ADAPT_NO_GAIN"))
    val copies = tableOf(numbers(4000), "replicas" -> "2")
    ask(copies, ranges(10))
    assert(adapted(copies).reason.exists(_.code.name == "ADAPT_REPLICAS"))
  }

  test("levels that cut the join key stay") {
    val path = tableOf(numbers(8000), "joinKey" -> "a", "joinLevels" -> "2")
    val upper = log(path).snapshot().trees.head.cuts.filter(_.column == "a")
    ask(path, (0 until 20).map(i => s"c = ${i % 50}"))
    assert(adapted(path).version.nonEmpty)
    assert(log(path).snapshot().trees.head.cuts.filter(_.column == "a") == upper)
    same(numbers(8000), read(path))
  }

  test("NULL, and columns that the option columns leaves out") {
    val path = tableOf(numbers(8000), "columns" -> "a,c")
    ask(path, ranges(20) ++ (0 until 20).map(_ => "c IS NULL"))
    adapted(path)
    assert(log(path).snapshot().trees.head.columns.toSet.subsetOf(Set("a", "c")))
    same(numbers(8000), read(path))
    Seq("c IS NULL", "c = 7", "c IS NOT NULL AND b = 5").foreach(filter =>
      same(numbers(8000).where(filter), read(path).where(filter)))
  }

  test("rows that were appended, removed and adapted again and again are all there") {
    val path = tableOf(numbers(4000))
    var expected = numbers(4000)
    for (round <- 1 to 4) {
      ask(path, if (round % 2 == 0) ranges(20) else (0 until 20).map(i => s"s = 'name-${i * 4}'"))
      adapted(path)
      val more = numbers(500, from = 10000 * round)
      write(more, path, "append")
      expected = expected.union(more)
      if (round == 3) {
        write(read(path).where("b < 100 AND a >= 0"), path, "overwrite",
          "replaceWhere" -> "b < 100")
      }
      same(expected, read(path))
    }
    val tree = log(path).snapshot().trees.head
    assert(tree.leafIds.distinct.length == tree.leafIds.length)
  }

  test("appends at the same time lose no row, and do not fail") {
    val path = table()
    ask(path, ranges(20))
    val pool = Executors.newFixedThreadPool(1)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val start = new CountDownLatch(1)
      val done = Future { start.countDown(); adapted(path) }
      start.await()
      appendsAtTheSameTime(path)
      Await.result(done, 120.seconds)
    } finally pool.shutdown()
    same((numbers(8000) +: appended).reduce(_ union _), read(path))
  }

  test("two at the same time: one of them at most, and all rows") {
    val path = table()
    ask(path, ranges(20))
    val pool = Executors.newFixedThreadPool(2)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val both = Await.result(Future.sequence(Seq.fill(2)(Future(adapted(path)))), 120.seconds)
      assert(both.exists(_.version.nonEmpty))
      assert(version(path) == both.count(_.version.nonEmpty))
    } finally pool.shutdown()
    same(numbers(8000), read(path))
  }

  test("rewriting costs at most what was read, whatever is asked") {
    val path = tableOf(numbers(4000))
    val random = new scala.util.Random(5)
    var (read, written) = (0.0, 0.0)
    for (_ <- 1 to 12) {
      val filters = Seq.fill(6) {
        val low = random.nextInt(900)
        Seq(s"b >= $low AND b < ${low + 40}", s"a % 7 = 3 AND a < ${low * 4}", s"c = ${low % 50}",
          s"s = 'name-${low % 97}'")(random.nextInt(4))
      }
      read += filters.map(filter => scan(this.read(path).where(filter)).keptRows.toDouble).sum
      ask(path, filters)
      written += adapted(path, eager.copy(writeCost = Some(2))).rewritten
    }
    assert(2 * written <= read)
    same(numbers(4000), this.read(path))
  }

  test("the published planner, one query after the other") {
    val path = table()
    val published = eager.copy(published = true)
    for (filter <- Seq.fill(12)("b >= 100 AND b < 300")) {
      ask(path, Seq(filter))
      adapted(path, published)
    }
    assert(version(path) > 0)
    assert(readShare(path, Seq("b >= 100 AND b < 300")) < 0.5)
    same(numbers(8000), read(path))
  }

  test("the queries of a table: what was read, the oldest dropped, and forgotten when told") {
    val path = tableOf(numbers(1000))
    ask(path, ranges(3))
    val found = spark.sql(s"SELECT * FROM colocate_table_queries('$path')").collect()
    assert(found.length == 3)
    assert(found.head.getString(2).contains("b >= 74"))
    assert(found.forall(row => row.getLong(3) > 0 && row.getLong(3) < 1000))
    (1 to AskedQueries.Most + 5).foreach(i => listed(read(path).where(s"a = $i")))
    assert(AskedQueries.inMemory(log(path).path).length == AskedQueries.Most)
    spark.sql(s"SELECT * FROM colocate_table_queries('$path', forget => true)").collect()
    assert(spark.sql(s"SELECT * FROM colocate_table_queries('$path')").isEmpty)
  }

  test("its history has what was read before, what was expected, and what was read since") {
    val path = table()
    ask(path, ranges(20))
    val report = adapted(path)
    def history =
      spark.sql(s"SELECT parameters, metrics FROM colocate_table_history('$path')").head()
    def value(name: String): Option[Double] =
      s"\"$name\": ?\"([0-9.]+)\"".r.findFirstMatchIn(history.getString(0)).map(_.group(1).toDouble)
    assert(value("readShare").exists(share => (share - report.readShare).abs < 0.001))
    assert(value("measuredReadShare").isEmpty)
    ask(path, ranges(20))
    assert(value("measuredReadShare").exists(share => (share - report.readShareAfter).abs < 0.05))
    assert(history.getString(1).contains("writeTaskMillis"))
    // From now on it is known what writing costs.
    ask(path, ranges(20))
    assert(adapted(path, AdaptOptions()).writeCost != AdaptOptions.DefaultWriteCost)
  }

  test("what rewriting has cost is kept, and bounds what comes") {
    val path = table()
    val file = new java.io.File(path, "_queries/baseline-0.json.gz")
    ask(path, ranges(20))
    assert(adapted(path).version.nonEmpty && file.exists)
    def ledger = {
      val conf = spark.sessionState.newHadoopConf()
      val schema = log(path).snapshot().schema
      new LedgerFiles(log(path).path, conf, new LedgerJson(schema, schema.fieldNames.toSet)).read(0)
    }
    val Right(first) = ledger: @unchecked
    assert(first.rewritten > 0 && first.first.rows == 8000 && first.rewrites.nonEmpty)
    assert(first.rewrites.flatMap(_.owed.values).sum >= first.rewritten)
    // A damaged one is begun anew, and nothing fails.
    java.nio.file.Files.write(file.toPath, "damaged".getBytes)
    new java.io.File(path, "_queries/.baseline-0.json.gz.crc").delete()
    ask(path, (0 until 20).map(i => s"a >= ${i * 400} AND a < ${i * 400 + 100}"))
    assert(ledger == Left(true) && adapted(path).version.nonEmpty && ledger.isRight)
    same(numbers(8000), read(path))
  }

  test("a table function does it in SQL, and refuses what it does not accept") {
    val path = table()
    ask(path, ranges(20))
    def row(arguments: String) =
      spark.sql(s"SELECT * FROM colocate_adapt('$path'$arguments)").head()
    assert(row(", budget => 1, write_cost => 1, dry_run => true").isNullAt(0))
    assert(version(path) == 0)
    assert(row(", budget => 1, write_cost => 1").getLong(0) == 1)
    for ((argument, said) <- Seq("budget => 0" -> "above 0", "budget => 2" -> "up to 1",
        "write_cost => 0" -> "from 1.0 to 500", "seed => 'x'" -> "whole number",
        "dry_run => 'perhaps'" -> "true, false"))
      assert(failure(row(s", $argument")).getMessage.contains(said), argument)
  }
}
