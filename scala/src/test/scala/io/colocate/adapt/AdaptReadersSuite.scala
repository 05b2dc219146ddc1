package io.colocate.adapt

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.columnar.InMemoryRelation

import io.colocate.tables.commit.LayoutSpace
import io.colocate.tables.operations.Compact

/** Readers of older versions while a table is adapted, and the space that they cost. */
class AdaptReadersSuite extends AdaptedTables {

  private def here = numbers(1600)

  private lazy val begun: String = scattered()

  private def compacted(path: String): Unit = inQuery(new Compact(spark, log(path))(Map.empty))

  test("a query that began before reads its version to the end") {
    val path = copy(begun)
    val pinned = planned(path)
    val running = read(path).repartition(4).toLocalIterator()
    running.next()
    moved(path)
    compacted(path)
    var rest = 1
    while (running.hasNext) {
      running.next()
      rest += 1
    }
    assert(rest == 1600)
    same(here, pinned)
    same(here, read(path))
  }

  test("each version is what it was, by number and in SQL") {
    val path = copy(begun)
    moved(path)
    write(numbers(10, from = 3000), path, "append")
    askByOther(path)
    moved(path)
    val versions =
      Seq(numbers(1400), numbers(1500), here, here, here.union(numbers(10, from = 3000)))
    versions.zipWithIndex.foreach { case (rows, version) =>
      same(rows, read(path, "version" -> s"$version"))
      same(rows, sql(s"SELECT * FROM colocate.`$path` VERSION AS OF $version"))
    }
  }

  private def cachedRows(frame: DataFrame): InMemoryRelation =
    frame.queryExecution.withCachedData.collectFirst { case rows: InMemoryRelation => rows }
      .getOrElse(fail("it is not cached"))

  test("a cached frame stays cached, and is read again after an append") {
    val path = copy(begun)
    val frame = read(path).where("b >= 0").cache()
    same(here, frame)
    val cached = cachedRows(read(path).where("b >= 0")).cacheBuilder
    write(numbers(0), path, "append", "operation" -> "compact")
    assert(version(path) == 3)
    ask(path)
    moved(path)
    assert(cachedRows(read(path).where("b >= 0")).cacheBuilder eq cached)
    assert(cached.isCachedColumnBuffersLoaded)
    same(here, read(path).where("b >= 0"))
    same(here, frame)
    write(numbers(10, from = 3000), path, "append")
    same(here.union(numbers(10, from = 3000)), read(path).where("b >= 0"))
    frame.unpersist(blocking = true)
  }

  test("what is cached of a version whose files a vacuum removed is read again") {
    val path = copy(begun)
    val frame = read(path).where("b >= 0").cache()
    same(here, frame)
    moved(path)
    Thread.sleep(20)
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    val left = dataFiles(path).map(_.getFileName.toString).toSet
    assert(left == log(path).snapshot().files.map(_.path).toSet)
    same(here, read(path).where("b >= 0"))
    frame.unpersist(blocking = true)
  }

  test("an overwrite by what was cached before an adapt is based on the same rows") {
    val path = copy(begun)
    val frame = read(path).where("b >= 500").cache()
    assert(frame.count() > 0)
    moved(path)
    write(frame, path, "overwrite")
    frame.unpersist(blocking = true)
    same(here.where("b >= 500"), read(path))
  }

  test("older versions never need more space for what was rewritten than the table") {
    val path = copy(begun)
    val usual = AdaptOptions(budget = 1, writeCost = Some(1))
    def older: Long = {
      val newest = log(path).snapshot()
      LayoutSpace(log(path).backFrom(newest.version), newest, Long.MaxValue)
    }
    val reports = (1 to 4).map { round =>
      if (round % 2 == 0) askByOther(path) else ask(path)
      val table = log(path).snapshot().files.totalBytes
      val report = adapted(path, usual)
      assert(report.version.isEmpty || older <= table)
      report
    }
    assert(reports.head.version.nonEmpty)
    val refused = reports.flatMap(_.reason).filter(_.code.name == "ADAPT_SPACE")
    assert(refused.nonEmpty && refused.forall(_.code.meaning.contains("vacuum")))
    Thread.sleep(20)
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    assert(older == 0)
    ask(path)
    askByOther(path)
    assert(!adapted(path, usual).reason.exists(_.code.name == "ADAPT_SPACE"))
    same(here, read(path))
  }
}
