package io.colocate.adapt

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.{StringType, StructType}

import io.colocate.tables.commit.{LyingStore, TableLog, Vacuum}
import io.colocate.tables.format.{ConcurrentChange, LocalLogStore, StreamBatch, TableNotFound}
import io.colocate.tables.operations.{Compact, ReplaceWhere, TableWriter}

/**
 * Adapting beside every other write, each of the two first. The user's write never fails because of it, no
 * row is lost, and none is there twice.
 */
class AdaptRacesSuite extends AdaptedTables {

  private def here = numbers(1600)

  private lazy val begun: String = scattered()

  /** The version of `begun`. */
  private val start = 2L

  /**
   * Something that is done to the table.
   *
   * @param after the rows when it is done
   */
  private class Work(val name: String, after: => DataFrame)(val run: TableLog => Unit) {
    def holds(path: String): Unit = {
      same(after, read(path))
      // By the cuts too: a row under a wrong leaf would be skipped here.
      Seq("b >= 97 AND b < 112", "a = 77", "c IS NULL").foreach(filter =>
        same(after.where(filter), read(path).where(filter)))
      same(here, read(path, "version" -> s"$start"))
    }
  }

  private def writer(log: TableLog) = new TableWriter(spark, log)
  private def more = numbers(60, from = 5000)
  private val batch = StreamBatch("a-stream", 3)

  private def replace(log: TableLog, fresh: DataFrame, predicate: String): Unit =
    new ReplaceWhere(spark, log)(log.snapshot(), rows(fresh), predicate, Map.empty)

  private val append =
    new Work("an append", here.union(more))(writer(_).append(rows(more), Map.empty))
  private val stream = new Work("a batch of a stream", here.union(more))(
    writer(_).append(rows(more), Map.empty, Some(batch)))
  private val overwrite = new Work("an overwrite", numbers(300, from = 9000))(log =>
    writer(log).overwrite(log.snapshot(), rows(numbers(300, from = 9000)), Map.empty))
  private val replaceWhere =
    new Work("replaceWhere", numbers(50).union(here.where("a >= 500")))(log =>
      replace(log, numbers(50), "a < 500"))
  private val delete =
    new Work("replaceWhere by nothing, which deletes", here.where("b >= 300"))(log =>
      replace(log, numbers(0), "b < 300"))
  private val truncate = new Work("TRUNCATE", numbers(0))(writer(_).truncate())
  private val addColumns =
    new Work("ADD COLUMNS", here.selectExpr("*", "CAST(NULL AS STRING) AS d"))(
      writer(_).addColumns(new StructType().add("d", StringType)))
  private val compact = new Work("a compaction", here)(log => new Compact(spark, log)(Map.empty))
  private val anotherAdapt = new Work("another adapt", here)(log => adapt(log))

  private val works = Seq(append, stream, overwrite, replaceWhere, delete, truncate, addColumns,
    compact, anotherAdapt)

  for (work <- works) {
    test(s"${work.name}, overtaken by an adapt") {
      val path = copy(begun)
      overtaken(path, () => moved(path))(work.run)
      work.holds(path)
      assert(operations(path).contains("ADAPT"))
      assert(orphans(path).isEmpty)
      if (work == stream)
        assert(log(path).snapshot().batches == Map(batch.queryId -> batch.batchId))
    }

    test(s"an adapt, overtaken by: ${work.name}") {
      val path = copy(begun)
      val report = overtaken(path, () => inQuery(work.run(log(path))))(adapt)
      work.holds(path)
      assert(report.version.nonEmpty || report.reason.nonEmpty)
      assert(report.version.forall(_ == version(path)))
      assert(orphans(path).isEmpty)
    }
  }

  private def operations(path: String): Seq[String] =
    log(path).history.map(_.info.operation).toSeq

  test("two adapts: one wins") {
    val path = copy(begun)
    val slower = overtaken(path, () => moved(path))(adapt)
    assert(slower.version.isEmpty && version(path) == start + 1)
    anotherAdapt.holds(path)
  }

  test("whoever is overtaken by an adapt each time gives up in the end, and leaves nothing") {
    val path = copy(begun)
    val touches = Seq.fill(3)(() => touch(path))
    val report = overtaken(path, touches: _*)(adapt)
    assert(report.reason.exists(_.code.name == "ADAPT_BUSY") && report.version.isEmpty)
    val e = intercept[ConcurrentChange](overtaken(path, touches: _*)(replaceWhere.run))
    assert(e.getMessage.contains("run the operation again"))
    assert(version(path) == start + 6 && orphans(path).isEmpty)
    anotherAdapt.holds(path)
    overtaken(path, touches.take(2): _*)(replaceWhere.run)
    replaceWhere.holds(path)
  }

  test("what removes all rows looks for their files again and again, and is written once") {
    for (work <- Seq(overwrite, truncate)) {
      val path = copy(begun)
      overtaken(path, Seq.fill(6)(() => touch(path)): _*)(work.run)
      work.holds(path)
      assert(orphans(path).isEmpty)
    }
  }

  test("rows of others are in the way as before, with an adapt before them or after") {
    def appended(path: String): Unit = write(numbers(5, from = 100), path, "append")
    for (work <- Seq(overwrite, truncate, replaceWhere);
      others <- Seq[Seq[String => Unit]](Seq(moved, appended), Seq(appended, moved))) {
      val path = copy(begun)
      val e = intercept[ConcurrentChange](overtaken(path, () => others.foreach(_(path)))(work.run))
      assert(e.getMessage.contains("COLOCATE_TABLE_CONCURRENT_CHANGE"), work.name)
      same(here.union(numbers(5, from = 100)), read(path))
      assert(orphans(path).isEmpty)
    }
  }

  test("replaceWhere passes by rows that it would not have replaced, adapted or not") {
    val path = copy(begun)
    overtaken(path,
      () => {
        write(more, path, "append")
        moved(path)
        inQuery(compact.run(log(path)))
      })(replaceWhere.run)
    same(numbers(50).union(here.where("a >= 500")).union(more), read(path))
  }

  test("rows that replace others are computed from the rows that were there, adapted or not") {
    val path = copy(begun)
    overtaken(path, () => moved(path)) { log =>
      val doubled = read(path).where("b < 300").selectExpr("a", "b", "c", "'new' AS s")
      new ReplaceWhere(spark, log)(log.snapshot(), rows(doubled), "b < 300", Map.empty)
    }
    same(here.selectExpr("a", "b", "c", "IF(b < 300, 'new', s) AS s"), read(path))
  }

  test("an append that two adapts overtake, the second for other queries") {
    val path = copy(begun)
    overtaken(path,
      () => {
        moved(path)
        askByOther(path)
        moved(path)
      })(append.run)
    append.holds(path)
  }

  test("rows without a leaf are routed by the next adapt") {
    val path = copy(begun)
    overtaken(path, () => moved(path))(append.run)
    val tree = log(path).snapshot().trees.head
    assert(log(path).snapshot().astray(tree).nonEmpty)
    askByOther(path)
    moved(path)
    val after = log(path).snapshot()
    assert(after.astray(after.trees.head).isEmpty)
    append.holds(path)
  }

  test("an adapt and a vacuum of everything old, each first") {
    // So that there is something to remove.
    def compacted(): String = {
      val path = copy(begun)
      inQuery(compact.run(log(path)))
      Thread.sleep(20)
      path
    }
    def vacuum(log: TableLog): Unit = {
      val fs = log.path.getFileSystem(spark.sessionState.newHadoopConf())
      Vacuum(log, fs, retention = 0, alone = true)
    }
    val first = compacted()
    overtaken(first, () => moved(first))(vacuum)
    same(here, read(first))
    val second = compacted()
    val report = overtaken(second, () => vacuum(log(second)))(adapt)
    assert(report.version.nonEmpty || report.reason.nonEmpty)
    same(here, read(second))
  }

  test("DROP and a new name while a table is adapted: neither fails, and the name is free again") {
    for (statement <- Seq("DROP TABLE raced", "ALTER TABLE raced RENAME TO renamed")) {
      sql("CREATE TABLE raced USING colocate OPTIONS (maxLeafRows '200') AS" +
        " SELECT id AS a, (id * 7919) % 1000 AS b FROM range(1600)")
      val path = spark.sessionState.catalog.defaultTablePath(
        spark.sessionState.sqlParser.parseTableIdentifier("raced")).getPath
      ask(path)
      // When the files are written, and before the entry is put.
      val store = new LyingStore(new LocalLogStore(logFolder(path)))
      var done = false
      store.onExists = () =>
        if (!done && orphans(path).nonEmpty) {
          done = true
          sql(statement)
        }
      intercept[TableNotFound](inQuery(adapt(new TableLog(log(path).path, store))))
      assert(isGone(path))
      sql("CREATE TABLE raced USING colocate AS SELECT 1 AS x")
      assert(spark.table("raced").count() == 1)
      sql("DROP TABLE raced")
    }
    assert(spark.table("renamed").count() == 1600)
    sql("DROP TABLE renamed")
  }
}
