package io.colocate.tables.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.functions.{col, expr}

import io.colocate.tables.tree.{Node, Split}
import io.colocate.testing.EveryOther

class WriteAndReadSuite extends TableSession with EveryOther {

  test("a table gives the rows that were written") {
    val path = create(numbers(5000), "maxLeafRows" -> "500")
    same(numbers(5000), read(path))
    val files = log(path).snapshot().files
    assert(files.length >= 10 && files.totalRows == 5000 && files.length == dataFiles(path).length)
    assert(files.map(_.rows).max <= 750)
  }

  test("each file holds rows of one leaf, and its statistics are those of its rows") {
    val path = create(numbers(3000), "maxLeafRows" -> "300")
    val snapshot = log(path).snapshot()
    assert(snapshot.files.flatMap(_.leaf).distinct.length == snapshot.files.length)
    snapshot.files.foreach { file =>
      val row = spark.read.parquet(s"$path/${file.path}")
        .agg(expr("count(*)"), expr("min(a)"), expr("max(a)"), expr("count_if(c IS NULL)")).head()
      assert(row.getLong(0) == file.rows)
      assert(file.stats("a").min.contains(row.getLong(1)) &&
        file.stats("a").max.contains(row.getLong(2)))
      assert(file.stats("c").nulls == row.getLong(3))
    }
  }

  test("a selective filter on any column reads a part of the files") {
    val path = create(numbers(20000), "maxLeafRows" -> "300")
    for (condition <- Seq("a < 200", "b = 17", "c = 3", "s = 'name-5'")) {
      val query = read(path).where(condition)
      same(numbers(20000).where(condition), query)
      val found = scan(query)
      assert(found.keptFiles < found.files * 0.8, s"$condition: $found")
    }
  }

  test("a filter that says nothing of the columns reads all files, with the reason") {
    val path = create(numbers(2000), "maxLeafRows" -> "300")
    val query = read(path).where("a % 7 = 3")
    same(numbers(2000).where("a % 7 = 3"), query)
    val found = scan(query)
    assert(found.keptFiles == found.files)
    assert(found.conjuncts.flatMap(_.whyKept).nonEmpty)
  }

  test("switched off, all files are read and the rows are the same") {
    val path = create(numbers(2000), "maxLeafRows" -> "300")
    for (key <- Seq("spark.colocate.enabled", "spark.colocate.layout.enabled")) {
      withConf(key -> "false") {
        val query = read(path).where("a < 10")
        same(numbers(10), query)
        val found = scan(query)
        assert(found.keptFiles == found.files && found.conjuncts.isEmpty, key)
      }
    }
  }

  test("append routes rows into the tree that is there") {
    val path = create(numbers(3000), "maxLeafRows" -> "300")
    val trees = log(path).snapshot().trees
    write(numbers(1000, from = 3000), path, "append")
    same(numbers(4000), read(path))
    val after = log(path).snapshot()
    assert(after.version == 1 && after.trees == trees)
    assert(after.files.forall(_.leaf.nonEmpty))
    val query = read(path).where("b = 17")
    same(numbers(4000).where("b = 17"), query)
    assert(scan(query).keptFiles < scan(query).files)
  }

  test("append brings columns by name, in any order, and widens types") {
    val path = create(numbers(100))
    write(spark.range(5).selectExpr("CAST(7 AS SMALLINT) AS C", "'x' AS s", "1000 + id AS a"), path,
      "append")
    val rows = read(path).where("a >= 1000").select("a", "b", "c", "s").collect()
    assert(rows.length == 5 && rows.forall(r => r.isNullAt(1) && r.getInt(2) == 7))
  }

  test("overwrite leaves only the new rows, and the old version can be read") {
    val path = create(numbers(1000))
    write(numbers(50, from = 7), path, "overwrite")
    same(numbers(50, from = 7), read(path))
    same(numbers(1000), read(path, "version" -> "0"))
  }

  test("a scan has Spark's own metrics with their meaning, and its vectorised reader") {
    val path = create(numbers(3000), "maxLeafRows" -> "200")
    val query = read(path).where("a >= 2500")
    val files = query.inputFiles
    val (ours, plain) =
      (scanned(query), scanned(spark.read.parquet(files.toSeq: _*).where("a >= 2500")))
    assert(files.length < dataFiles(path).length)
    assert(ours.supportsColumnar && plain.supportsColumnar)
    assert(ours.metrics.keySet == plain.metrics.keySet)
    val meant = Seq("numFiles", "filesSize", "numOutputRows")
    assert(meant.map(ours.metrics(_).value) == meant.map(plain.metrics(_).value))
    assert(ours.metrics("numFiles").value == files.length)
  }

  /** The scan of a query that has run. */
  private def scanned(query: DataFrame): FileSourceScanExec = {
    query.collect()
    collect(query.queryExecution.executedPlan) { case scan: FileSourceScanExec => scan } match {
      case Seq(one) => one
    }
  }

  test("a table may be overwritten by what is read from it") {
    val path = create(numbers(1000), "maxLeafRows" -> "100")
    write(read(path).where("a >= 500"), path, "overwrite")
    same(numbers(500, from = 500), read(path))
    write(read(path), path, "append")
    assert(read(path).count() == 1000)
  }

  test("replaceWhere replaces just the rows that a predicate selects") {
    val path = create(numbers(3000), "maxLeafRows" -> "200")
    val before = log(path).snapshot().files.map(_.path).toSet
    val replacement = numbers(100).withColumn("s", expr("'new'"))
    write(replacement, path, "overwrite", "replaceWhere" -> "a < 300")
    same(numbers(2700, from = 300).union(replacement), read(path))
    assert(log(path).snapshot().files.map(_.path).toSet.intersect(before).nonEmpty)
  }

  test("replaceWhere refuses rows that the predicate does not select, and writes nothing") {
    val path = create(numbers(1000))
    val files = dataFiles(path).toSet
    val e = failure(write(numbers(10, from = 295), path, "overwrite", "replaceWhere" -> "a < 300"))
    assert(e.toString.contains("replaceWhere") || e.getCause.toString.contains("replaceWhere"))
    assert(version(path) == 0 && dataFiles(path).toSet == files)
    same(numbers(1000), read(path))
  }

  test("replaceWhere fills a table that has no rows, with such as it selects") {
    val (made, truncated) = (fresh(), create(numbers(100), "maxLeafRows" -> "20", "joinKey" -> "a"))
    sql(
      s"CREATE TABLE to_fill (a BIGINT, b BIGINT, c INT, s STRING) USING colocate LOCATION '$made'")
    sql(s"CREATE TABLE to_fill_again USING colocate LOCATION '$truncated'")
    sql("TRUNCATE TABLE to_fill_again")
    for (path <- Seq(made, truncated)) {
      val before = version(path)
      val e = failure(write(numbers(11), path, "overwrite", "replaceWhere" -> "a < 10"))
      assert(e.toString.contains("replaceWhere") || e.getCause.toString.contains("replaceWhere"))
      assert(version(path) == before && read(path).count() == 0)
      write(numbers(300), path, "overwrite", "replaceWhere" -> "a < 300")
      same(numbers(300), read(path))
    }
    assert(log(truncated).snapshot().metadata.options("maxLeafRows") == "20")
  }

  test("rows for which the predicate is NULL stay") {
    val path = create(numbers(300))
    write(numbers(0), path, "overwrite", "replaceWhere" -> "c < 100")
    same(numbers(300).where("c IS NULL"), read(path))
  }

  test("mergeSchema adds a column, which is NULL in older rows; without it the column is refused") {
    val path = create(numbers(100))
    val wider = numbers(10, from = 100).withColumn("d", col("a") * 2)
    val e = failure(write(wider, path, "append"))
    assert(e.getMessage.contains("COLOCATE_TABLE_SCHEMA_MISMATCH") && e.getMessage.contains("'d'"))
    write(wider, path, "append", "mergeSchema" -> "true")
    assert(read(path).where("d IS NULL").count() == 100)
    same(wider, read(path).where("d >= 200"))
    same(wider.where("d > 212"), read(path).where("d > 212"))
  }

  test("an empty table, a table of one row, a table of one value") {
    val none = create(numbers(0))
    same(numbers(0), read(none))
    assert(read(none).where("a > 3").count() == 0)
    write(numbers(10), none, "append")
    same(numbers(10), read(none))
    same(numbers(1), read(create(numbers(1))))
    val one = spark.range(500).selectExpr("1 AS x")
    val path = create(one, "maxLeafRows" -> "100")
    same(one, read(path))
    assert(scan(read(path).where("x = 2")).keptFiles == 0)
  }

  test("a join key is cut by the upper levels") {
    val path = create(numbers(10000), "joinKey" -> "a", "maxLeafRows" -> "200")
    val tree = log(path).snapshot().trees.head
    assert(tree.cuts.head.column == "a")
    same(numbers(10000), read(path))
  }

  test("joinCuts takes over the cuts of another table's join key") {
    val first = create(numbers(10000), "joinKey" -> "a", "maxLeafRows" -> "300")
    val others = numbers(6000).selectExpr("a AS k", "s AS t", "b")
    val second = create(others, "joinKey" -> "k", "joinCuts" -> first, "maxLeafRows" -> "300")
    same(others, read(second))
    val (one, two) = (log(first).snapshot().trees.head, log(second).snapshot().trees.head)
    def cutsOf(column: String, root: Node): Seq[(Any, Boolean)] = root match {
      case Split(cut, left, right) if cut.column == column =>
        (cut.value -> cut.inclusive) +: (cutsOf(column, left) ++ cutsOf(column, right))
      case _ => Nil
    }
    assert(cutsOf("a", one.root).length > 3 && cutsOf("a", one.root) == cutsOf("k", two.root))
    for (options <- Seq(Seq("joinKey" -> "t"), Seq("joinKey" -> "k,b"), Nil)) {
      val e = failure(create(others, options :+ ("joinCuts" -> first): _*))
      assert(e.getMessage.contains("joinCuts"), e)
    }
  }

  test("replicas hold all rows, and each query reads the copy that serves it best") {
    val path = create(numbers(10000), "replicas" -> "2", "maxLeafRows" -> "200")
    val snapshot = log(path).snapshot()
    assert(snapshot.trees.length == 2)
    same(numbers(10000), read(path))
    val chosen = for (condition <- Seq("a < 100", "b = 17", "c = 7", "s = 'name-3'")) yield {
      val query = read(path).where(condition)
      same(numbers(10000).where(condition), query)
      scan(query).replica
    }
    assert(chosen.distinct.length == 2)
    write(numbers(100, from = 10000), path, "append")
    same(numbers(10100), read(path))
    same(numbers(10100).where("b < 30"), read(path).where("b < 30"))
  }

  test("the published construction is there by name") {
    val path = create(numbers(5000), "construction" -> "published", "maxLeafRows" -> "200")
    same(numbers(5000), read(path))
    assert(log(path).snapshot().metadata.treeConfig == "published")
  }

  test("the same seed gives the same tree, another one another") {
    def tree(seed: Int) = {
      val path = create(numbers(20000), "seed" -> seed.toString, "maxLeafRows" -> "1000",
        "sampleRows" -> "2000")
      log(path).snapshot().trees.head.root
    }
    assert(tree(1) == tree(1) && tree(1) != tree(2))
  }

  test("timestamps are written whole, whatever the session says") {
    withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MILLIS") {
      val rows = spark.range(10).selectExpr("timestamp_micros(id * 1001) AS t")
      val path = create(rows)
      same(rows, read(path))
      same(rows.where("t = timestamp_micros(3003)"), read(path).where("t = timestamp_micros(3003)"))
    }
  }

  test("nested columns are carried, and never cut") {
    val rows = numbers(1000).withColumn("n", expr("named_struct('x', a, 'y', array(b))"))
    val path = create(rows, "maxLeafRows" -> "100")
    same(rows, read(path))
    same(rows.where("n.x = 5"), read(path).where("n.x = 5"))
    assert(!log(path).snapshot().trees.head.columns.contains("n"))
  }

  test("metadata columns and input files are there as in Spark's own formats") {
    val path = create(numbers(100))
    val names = read(path).select("_metadata.file_name").distinct().collect()
    assert(values(names.toSeq) == log(path).snapshot().files.map(_.path).toSet)
    assert(read(path).inputFiles.length == log(path).snapshot().files.length)
  }
}
